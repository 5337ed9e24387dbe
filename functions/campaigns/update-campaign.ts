import { updateCampaignBody } from '../../lib/campaigns/campaign-body.ts';
import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { listTiersOf } from '../../lib/campaigns/promotions/list-tiers.ts';
import { operation } from '../../lib/http/operation.ts';
import { updateAnyCampaign } from '../../lib/loyalty/programmes/update-programme.ts';

export const handler = operation(
  {
    route: 'PUT /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Update a campaign',
    note:
      'Changes what is sent; `null` clears. `metadata` is merged by key, and `unset_metadata_fields` removes keys after it. ' +
      'All vouchers of the campaign show the change at once; a `gift` holds for those that come after it. What is sent for ' +
      'another kind of campaign is passed over.',
    body: updateCampaignBody,
    answers: 'The campaign as it is now.',
    reply: campaign,
    errors: ['invalid_campaign', 'not_found'],
    example: {
      params: { campaignId: 'Early tide' },
      body: { discount: { type: 'AMOUNT', amount_off: 500 }, metadata: { channel: 'web' } },
    },
  },
  (call) => updateAnyCampaign(call, call.params.campaignId, call.body, listTiersOf),
);
