import type { Reading } from '../http/context.ts';
import { childrenOf } from '../kit/deletion/children.ts';
import { bury } from '../kit/deletion/tombstone.ts';
import type { Cascade } from '../kit/deletion/work.ts';
import { voucherLists } from '../ledger/codes/voucher-lists.ts';
import { unassigned } from '../rules/assignment.ts';
import { inBatches } from '../table/batches.ts';
import { becomesDue } from '../table/due.ts';
import { change, type Effect, remove } from '../table/effects.ts';
import type { Update } from '../table/update.ts';
import { heldItem } from './held-card.ts';
import { childGone } from './referee.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

export const listsOfVouchers = Object.values(voucherLists);

/** DynamoDB takes 100 items a transaction. */
const atOnce = 50;

/** A voucher's ledger, pending points, claims, activities and referees. */
export const voucherCascade: Cascade = {
  key: vouchers,
  children: async function* ({ table, project }, id) {
    const parent = vouchers(project.id, id);
    for await (const page of childrenOf(table, parent)) {
      yield* inBatches(
        page.flatMap((child) => childGone(project.id, id, child)),
        atOnce,
      );
    }
  },
};

/** As it was read: each change of a voucher moves one of these. */
function asRead(update: Update, item: VoucherItem): Update {
  const { revision, holder_id, updated_at, publish_count, validation_rules_assignments: assignments } = item;
  update
    .whenThere()
    .whenStill('revision', revision)
    .whenStill('holder_id', holder_id ?? undefined);
  if (publish_count > 0) update.whenStill('publish_count', publish_count);
  if (assignments.length > 0) update.whenStill('validation_rules_assignments', assignments);
  else update.whenUnsetOr('validation_rules_assignments', []);
  return update.whenStill('updated_at', updated_at);
}

/** Nobody holds it any more, and no rule is assigned to it. */
function letGo(projectId: string, item: VoucherItem): Effect[] {
  const { holder_id: holder, validation_rules_assignments: assignments } = item;
  return [
    ...(holder ? [remove(heldItem(projectId, holder, item).key, (update) => update)] : []),
    ...unassigned(projectId, assignments),
  ];
}

/** Takes a voucher away as it was read, and from its holder; what stands beside it has gone before, or goes with it. */
export function voucherGone({ project }: Pick<Reading, 'project'>, item: VoucherItem): Effect[] {
  const key = vouchers(project.id, item.id);
  return [remove(key, (update) => asRead(update, item)), ...letGo(project.id, item)];
}

/** The same, but for a tombstone that keeps the code. */
export function voucherBuried({ project, now }: Pick<Reading, 'project' | 'now'>, item: VoucherItem): Effect[] {
  const key = vouchers(project.id, item.id);
  return [
    change(key, (update) => becomesDue(bury(asRead(update, item), listsOfVouchers, now), key, undefined)),
    ...letGo(project.id, item),
  ];
}
