import * as v from 'valibot';
import { activityOrder, listActivity } from '#engine/customers/list-activity.ts';
import { type MemberPath, memberOr404 } from '#engine/loyalty/member-path.ts';
import type { Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, wrapWalked } from '#kernel/http/page.ts';
import { completeActivities } from './complete-activities.ts';

export const memberActivityQuery = v.object({ ...limitQuery, ...cursorQuery, order: activityOrder });

/** Lists the activities of the card's holder about the card. A card without a holder has none. */
export async function listMemberActivity(
  context: Showing,
  path: MemberPath,
  query: v.InferOutput<typeof memberActivityQuery>,
) {
  const { code, holder_id, campaign_id } = await memberOr404(context, path);
  if (!holder_id) return wrapWalked([], undefined);
  return listActivity(
    context,
    holder_id,
    { ...query, campaign_id: campaign_id ?? undefined },
    { complete: completeActivities, code },
  );
}
