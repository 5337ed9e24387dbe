import * as v from 'valibot';
import { checkLoyaltyCampaign } from '../../lib/campaigns/programme.ts';
import { described } from '../../lib/core/documented.ts';
import { operation } from '../../lib/http/operation.ts';
import { trueOrFalse } from '../../lib/http/page.ts';
import { startedAction } from '../../lib/kit/bulk/job.ts';
import { deleteCampaign } from '../../lib/publishing/campaign-deletion/delete-campaign.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Delete a loyalty campaign',
    note: 'As `DELETE /v1/campaigns/{campaignId}`: it, its cards, tiers, earning rules and reward assignments are gone at once.',
    query: v.object({ force: described(v.optional(trueOrFalse), 'Deletes it for good.') }),
    answers: 'The action that takes away what was of it.',
    reply: startedAction,
    errors: ['not_found', 'resource_protected'],
    example: { params: { campaignId: 'Winter passengers' }, query: 'force=true' },
  },
  (call) =>
    deleteCampaign(call, call.params.campaignId, call.query, (item) =>
      checkLoyaltyCampaign(item, call.params.campaignId),
    ),
);
