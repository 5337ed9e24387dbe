import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { createCampaignBody } from '#engine/campaigns/create-body.ts';
import { createCampaign } from '#engine/campaigns/create-campaign.ts';
import { newTiers } from '#engine/campaigns/promotions/new-tiers.ts';
import { makeOnlyVoucher } from '#engine/vouchers/only-voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns',
    scope: 'campaigns',
    summary: 'Create a campaign',
    note:
      'Answers immediately. The codes are generated after the reply, and the statuses show the progress. Without a ' +
      '`campaign_type`, the type of `voucher` decides the kind of campaign. A PROMOTION also creates its tiers, ' +
      'ranked in the order sent. A STANDALONE campaign has one voucher, `voucher.code`. Send `category` or ' +
      '`category_id`, not both. `expiration_date` must not be before `start_date`, and a `validity_timeframe` ' +
      'needs a `start_date`. An empty object creates a campaign without codes.',
    body: createCampaignBody,
    answers: 'The campaign. Its codes are generated after the reply.',
    reply: campaign,
    errors: ['invalid_campaign', 'invalid_code_config', 'not_found', 'duplicate_found'],
    example: {
      body: {
        name: 'Harvest',
        start_date: '2026-09-01T00:00:00Z',
        expiration_date: '2027-10-31T23:59:59Z',
        vouchers_count: 100,
        voucher: {
          discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
          code_config: { pattern: 'HARVEST-######' },
        },
        metadata: { channel: 'web' },
      },
    },
  },
  (call) => createCampaign(call, call.body, { tiers: newTiers, voucher: makeOnlyVoucher }),
);
