import * as v from 'valibot';
import { type CampaignItem, campaigns } from '#engine/campaigns/campaign.ts';
import { countEvents } from '#engine/campaigns/counters.ts';
import { activityTypes, readOccasion, showActivityCampaign } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { findLiveLots, sumPoints } from '#engine/ledger/lots.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { Writing } from '#kernel/http/context.ts';
import { makeBinEntry } from '#kernel/kit/bin/bin-entry.ts';
import type { Purge } from '#kernel/kit/bin/delete-bin-entry.ts';
import { walkChildPages } from '#kernel/kit/deletion/children.ts';
import { startChildDeletion } from '#kernel/kit/deletion/tombstone.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, removeFenced } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { voucherOr404 } from './find-voucher.ts';
import { removeChild } from './referee.ts';
import { buryVoucher, removeVoucher } from './remove-voucher.ts';
import { giftFigures, type VoucherItem, vouchers } from './voucher.ts';

/** Deleting a voucher only checks that its holder exists, because `lib/engine/customers` imports vouchers. */
const holders = kind(kinds.customer, v.looseObject({}));

/** One transaction deletes a voucher with at most this many children. A job deletes the children of a card that has more. */
const mostAtOnce = 60;

/** Counts one voucher less. A project file may have set a count below the number of vouchers. */
function lowerCount(projectId: string, campaign: CampaignItem | undefined): Effect[] {
  if (!campaign?.vouchers_count) return [];
  return [
    change(campaigns(projectId, campaign.id), (update) =>
      update.whenThere().whenAtLeast('vouchers_count', 1).add('vouchers_count', -1),
    ),
  ];
}

/** Counts the deletion for the campaign, with the points and the amount that were left. */
function countDeletion(projectId: string, campaignId: string, item: VoucherItem, now: Date): Effect[] {
  const points_deleted = sumPoints(findLiveLots(item.lots, formatDay(now)));
  const amount_deleted = giftFigures(item)?.balance ?? 0;
  return countEvents(projectId, campaignId, now, { vouchers_deleted: 1, points_deleted, amount_deleted });
}

function recordDeletion(context: Writing, item: VoucherItem, campaign: CampaignItem | undefined): Effect[] {
  const { id, code, holder_id: holder } = item;
  if (!holder) return [];
  return recordActivity(context.project.id, holder, readOccasion(context), {
    type: activityTypes.voucherDeleted,
    campaign,
    code,
    data: { ...showActivityCampaign(campaign), voucher: { id, code, object: 'voucher' } },
  });
}

/** Deletes the voucher and its children, or buries it. */
async function deleteWithChildren(context: Writing, item: VoucherItem, force: boolean): Promise<Effect[]> {
  const { table, project, now } = context;
  const key = vouchers(project.id, item.id);
  const children = [];
  for await (const page of walkChildPages(table, key, { limit: mostAtOnce + 2 })) children.push(...page);
  const all = children.flatMap((child) => removeChild(project.id, item.id, child));
  const isSmall = all.length <= mostAtOnce;
  const removals = isSmall ? all : [];
  if (force && isSmall) return [...removals, ...removeVoucher(context, item)];

  const { id, code, campaign_id } = item;
  const entry = { resource_id: id, resource_type: 'voucher', resource_name: code } as const;
  const bin = force ? undefined : makeBinEntry(project.id, { ...entry, resource_parent_id: campaign_id ?? null }, now);
  const job = isSmall
    ? undefined
    : startChildDeletion(project.id, { parent: 'voucher', id, keepsTombstone: !force }, now);
  const marks = { bin_entry: bin?.entryId, deletion: job?.deletion };
  return [
    ...removals,
    ...buryVoucher(context, item),
    change(key, (update) => update.take(marks, ['bin_entry', 'deletion'])),
    ...(bin ? [bin.effect] : []),
    ...(job ? [job.started] : []),
  ];
}

/**
 * Deletes a voucher with its ledger and everything else that it has. The voucher moves to the bin, where its code stays
 * in use, or `force` deletes it permanently. Answers 404 for a missing voucher.
 */
export async function deleteVoucher(
  context: Writing,
  codeOrId: string,
  { force = false }: { force?: boolean | undefined },
): Promise<void> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const item = await voucherOr404(context, codeOrId);
    const { campaign, holder } = await read(table, {
      campaign: item.campaign_id ? campaigns(project.id, item.campaign_id) : undefined,
      holder: item.holder_id ? holders(project.id, item.holder_id) : undefined,
    });
    const effects = [
      ...(await deleteWithChildren(context, item, force)),
      ...lowerCount(project.id, campaign),
      ...(campaign ? countDeletion(project.id, campaign.id, item, now) : []),
      ...(holder ? recordDeletion(context, item, campaign) : []),
    ];
    return (await commit(table, effects)) || again;
  });
}

/** Frees the code of a voucher in the bin, either immediately or when a job has deleted its last child. */
export const purgeVoucher: Purge = async ({ table, project, now }, { id: entryId, resource_id: id }) => {
  const key = vouchers(project.id, id);
  const [tombstone] = await table.getMany([key], { deletedToo: true });
  if (tombstone?.bin_entry !== entryId) return [];
  const left = [];
  for await (const page of walkChildPages(table, key, { limit: 2 })) left.push(...page);
  if (left.length === 0) return [removeFenced(key, (update) => update.whenStill('bin_entry', entryId), now)];
  const { started, deletion } = startChildDeletion(project.id, { parent: 'voucher', id }, now);
  return [
    change(key, (update) => update.whenStill('bin_entry', entryId).set(['deletion'], deletion).remove(['bin_entry'])),
    started,
  ];
};
