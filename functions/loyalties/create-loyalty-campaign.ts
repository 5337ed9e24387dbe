import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { createLoyaltyBody } from '../../lib/campaigns/create-body.ts';
import { createCampaign } from '../../lib/campaigns/create-campaign.ts';
import { newTiers } from '../../lib/campaigns/promotions/new-tiers.ts';
import { operation } from '../../lib/http/operation.ts';
import { makeOnlyVoucher } from '../../lib/vouchers/only-voucher.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties',
    scope: 'loyalties',
    summary: 'Create a loyalty campaign',
    note:
      'Works like `POST /v1/campaigns` with the type LOYALTY_PROGRAM. The campaign is AUTO_UPDATE unless the body ' +
      'says otherwise. Answers at once, and generates the cards after the reply. Tiers, earning rules and rewards ' +
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
