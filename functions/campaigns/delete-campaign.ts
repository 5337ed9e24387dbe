import * as v from 'valibot';
import { described } from '../../lib/core/documented.ts';
import { operation } from '../../lib/http/operation.ts';
import { sentBoolean } from '../../lib/http/page.ts';
import { json } from '../../lib/http/route.ts';
import { startedAction } from '../../lib/kit/bulk/job.ts';
import { deleteCampaign } from '../../lib/publishing/campaign-deletion/delete-campaign.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Delete a campaign',
    note:
      'The campaign disappears at once, with its vouchers, cards, tiers, rewards and publications. The action ' +
      'then deletes them and counts the vouchers. Without `force` the campaign moves to the bin, where its name ' +
      'and codes stay reserved.',
    query: v.object({ force: described(v.optional(sentBoolean), 'Deletes the campaign for good.') }),
    answers: 'The async action that deletes the parts of the campaign.',
    reply: json(startedAction, { status: 202 }),
    errors: ['not_found', 'resource_protected'],
    example: { params: { campaignId: 'New quay opening' }, query: 'force=true' },
  },
  (call) => deleteCampaign(call, call.params.campaignId, call.query),
);
