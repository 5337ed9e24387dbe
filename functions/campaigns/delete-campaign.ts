import * as v from 'valibot';
import { deleteCampaign } from '#engine/publishing/campaign-deletion/delete-campaign.ts';
import { described } from '#kernel/core/documented.ts';
import { operation } from '#kernel/http/operation.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { json } from '#kernel/http/route.ts';
import { startedAction } from '#kernel/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Delete a campaign',
    note:
      'The campaign disappears immediately, with its vouchers, cards, tiers, rewards and publications. The action ' +
      'then deletes them and counts the vouchers. Without `force` the campaign moves to the bin, where its name ' +
      'and codes stay reserved.',
    query: v.object({ force: described(v.optional(sentBoolean), 'Deletes the campaign permanently.') }),
    answers: 'The async action that deletes the parts of the campaign.',
    reply: json(startedAction, { status: 202 }),
    errors: ['not_found', 'resource_protected'],
    example: { params: { campaignId: 'New quay opening' }, query: 'force=true' },
  },
  (call) => deleteCampaign(call, call.params.campaignId, call.query),
);
