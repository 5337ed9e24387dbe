import { updateCampaignBody } from '#engine/campaigns/campaign-body.ts';
import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { listTiersOf } from '#engine/campaigns/promotions/list-tiers.ts';
import { updateAnyCampaign } from '#engine/loyalty/programmes/update-programme.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Update a campaign',
    note:
      'Changes only the fields that are sent. `null` clears a field. `metadata` is merged by key, then ' +
      '`unset_metadata_fields` removes keys. All vouchers of the campaign show the change immediately, but a new ' +
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
