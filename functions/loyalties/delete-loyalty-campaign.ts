import * as v from 'valibot';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { deleteCampaign } from '#engine/publishing/campaign-deletion/delete-campaign.ts';
import { described } from '#kernel/core/documented.ts';
import { operation } from '#kernel/http/operation.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { startedAction } from '#kernel/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Delete a loyalty campaign',
    note:
      'Works like `DELETE /v1/campaigns/{campaignId}`. The campaign disappears immediately, with its cards, tiers, ' +
      'earning rules and reward assignments.',
    query: v.object({ force: described(v.optional(sentBoolean), 'Deletes the campaign permanently.') }),
    answers: 'The async action that deletes the parts of the campaign.',
    reply: startedAction,
    errors: ['not_found', 'resource_protected'],
    example: { params: { campaignId: 'Winter passengers' }, query: 'force=true' },
  },
  (call) =>
    deleteCampaign(call, call.params.campaignId, call.query, (item) =>
      checkLoyaltyCampaign(item, call.params.campaignId),
    ),
);
