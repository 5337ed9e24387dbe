import * as v from 'valibot';
import { described } from '../../lib/core/documented.ts';
import { operation } from '../../lib/http/operation.ts';
import { trueOrFalse } from '../../lib/http/page.ts';
import { json } from '../../lib/http/route.ts';
import { startedAction } from '../../lib/kit/bulk/job.ts';
import { deleteCampaign } from '../../lib/publishing/campaign-deletion/delete-campaign.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Delete a campaign',
    note:
      'At once nothing of it is found any more: neither it nor its vouchers, cards, tiers, rewards and publications. The action ' +
      'takes them away, and counts the vouchers. Without `force` it goes into the bin, where its name and its codes stay taken.',
    query: v.object({ force: described(v.optional(trueOrFalse), 'Deletes it for good.') }),
    answers: 'The action that takes away what was of it.',
    reply: json(startedAction, { status: 202 }),
    errors: ['not_found', 'resource_protected'],
    example: { params: { campaignId: 'New quay opening' }, query: 'force=true' },
  },
  (call) => deleteCampaign(call, call.params.campaignId, call.query),
);
