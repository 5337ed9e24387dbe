import { updateLoyaltyBody } from '#engine/campaigns/campaign-body.ts';
import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { listTiersOf } from '#engine/campaigns/promotions/list-tiers.ts';
import { updateProgramme } from '#engine/loyalty/programmes/update-programme.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Update a loyalty campaign',
    note:
      'Works like `PUT /v1/campaigns/{campaignId}`. `loyalty_card` applies to later points and cards. A new ' +
      '`loyalty_tiers_expiration` applies to a card from its next change. With `options.recalculate_tiers`, ' +
      'members get new dates and better tiers soon after the reply.',
    body: updateLoyaltyBody,
    answers: 'The updated campaign.',
    reply: campaign,
    errors: ['invalid_campaign', 'not_found'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: { description: 'For those who come by boat', options: { recalculate_tiers: true } },
    },
  },
  (call) => updateProgramme(call, call.params.campaignId, call.body, listTiersOf),
);
