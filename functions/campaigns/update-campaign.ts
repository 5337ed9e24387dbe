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
      'Changes only the fields that are sent. `null` clears a field. `metadata` is merged by key, then ' +
      '`unset_metadata_fields` removes keys. All vouchers of the campaign show the change at once, but a new ' +
      '`gift` applies only to later vouchers. Fields for another kind of campaign are ignored.',
    body: updateCampaignBody,
    answers: 'The updated campaign.',
    reply: campaign,
    errors: ['invalid_campaign', 'not_found'],
    example: {
      params: { campaignId: 'Early tide' },
      body: { discount: { type: 'AMOUNT', amount_off: 500 }, metadata: { channel: 'web' } },
    },
  },
  (call) => updateAnyCampaign(call, call.params.campaignId, call.body, listTiersOf),
);
