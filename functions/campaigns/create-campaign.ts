import { createCampaignBody } from '../../lib/campaigns/campaign-body.ts';
import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { createCampaign } from '../../lib/campaigns/create-campaign.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns',
    scope: 'campaigns',
    summary: 'Create a campaign',
    note:
      'Answers at once; the codes are generated behind it, and the statuses show how far that is. ' +
      '`category` and `category_id` exclude each other, `expiration_date` is not before `start_date`, and a ' +
      '`validity_timeframe` needs a `start_date`. An empty object creates a campaign without codes.',
    body: createCampaignBody,
    answers: 'The campaign, whose codes are being generated.',
    reply: campaign,
    errors: ['invalid_code_config', 'not_found', 'duplicate_found'],
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
  (call) => createCampaign(call, call.body),
);
