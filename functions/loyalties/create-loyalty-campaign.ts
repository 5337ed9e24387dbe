import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { createLoyaltyBody } from '#engine/campaigns/create-body.ts';
import { createCampaign } from '#engine/campaigns/create-campaign.ts';
import { newTiers } from '#engine/campaigns/promotions/new-tiers.ts';
import { makeOnlyVoucher } from '#engine/vouchers/only-voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties',
    scope: 'loyalties',
    summary: 'Create a loyalty campaign',
    note:
      'Works like `POST /v1/campaigns` with the type LOYALTY_PROGRAM. The campaign is AUTO_UPDATE unless the body ' +
      'says otherwise. Answers immediately, and generates the cards after the reply. Tiers, earning rules and rewards ' +
      'have their own paths.',
    body: createLoyaltyBody,
    answers: 'The campaign. Its cards are generated after the reply.',
    reply: campaign,
    errors: ['invalid_campaign', 'invalid_code_config', 'not_found', 'duplicate_found'],
    example: {
      body: {
        name: 'Night shift',
        auto_join: true,
        vouchers_count: 50,
        voucher: {
          type: 'LOYALTY_CARD',
          loyalty_card: { points: 0, expiration_rules: { period_type: 'MONTH', period_value: 12 } },
          code_config: { pattern: 'NIGHT-######' },
        },
      },
    },
  },
  (call) => createCampaign(call, call.body, { tiers: newTiers, voucher: makeOnlyVoucher }),
);
