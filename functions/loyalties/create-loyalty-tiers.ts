import * as v from 'valibot';
import { loyaltyTier } from '#engine/campaigns/programme.ts';
import { createLoyaltyTiers } from '#engine/loyalty/programmes/create-tiers.ts';
import { createTiersBody } from '#engine/loyalty/programmes/tier-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/tiers',
    scope: 'loyalties',
    summary: 'Create loyalty tiers',
    note:
      'Creates all of up to 30 tiers, or none. A programme has at most 50 tiers. `earning_rules` and `rewards` ' +
      "say what the tier changes. Their keys are ids of the programme's earning rules and reward assignments. " +
      'Members move into the tiers soon after the reply.',
    body: createTiersBody,
    answers: 'The tiers, in the order sent.',
    reply: v.array(loyaltyTier),
    errors: ['not_found', 'too_many_resources'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: [
        {
          name: 'Admiral',
          points: { from: 5000 },
          earning_rules: { ern_purchase: { type: 'MULTIPLY', multiplier: 3 } },
          rewards: { rewa_beans: { type: 'CUSTOM', points: 150 } },
        },
      ],
    },
  },
  (call) => createLoyaltyTiers(call, call.params.campaignId, call.body),
);
