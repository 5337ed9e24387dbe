import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { removeRuleAssignments } from '#engine/rules/assignment.ts';
import type { Reading } from '#kernel/http/context.ts';
import { walkChildPages } from '#kernel/kit/deletion/children.ts';
import { bury } from '#kernel/kit/deletion/tombstone.ts';
import type { Cascade } from '#kernel/kit/deletion/work.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { setDue } from '#kernel/table/due.ts';
import { change, type Effect, remove, removeFenced } from '#kernel/table/effects.ts';
import { buildHolding } from './held-card.ts';
import { removeChild } from './referee.ts';
import type { VoucherUpdate } from './voucher.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

const listsOfVouchers = Object.values(voucherLists);

/** DynamoDB accepts at most 100 items in a transaction. */
const atOnce = 50;

/** Deletes a voucher's ledger, pending points, claims, activities and referees. */
export const voucherCascade: Cascade = {
  key: vouchers,
  children: async function* ({ table, project }, id) {
    const parent = vouchers(project.id, id);
    for await (const page of walkChildPages(table, parent)) {
      yield* splitIntoBatches(
        page.flatMap((child) => removeChild(project.id, id, child)),
        atOnce,
      );
    }
  },
};

/** Requires that the voucher has not changed since it was read. Each change of a voucher moves one of these fields. */
function requireUnchanged(update: VoucherUpdate, item: VoucherItem): VoucherUpdate {
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

/** Removes the voucher from its holder, and removes its rules. */
function release(projectId: string, item: VoucherItem): Effect[] {
  const { holder_id: holder, validation_rules_assignments: assignments } = item;
  return [
    ...(holder ? [remove(buildHolding(projectId, holder, item).key, (update) => update)] : []),
    ...removeRuleAssignments(projectId, assignments),
  ];
}

/**
 * Deletes an unchanged voucher, and removes it from its holder. A late insert of the voucher does not restore it with
 * its balance. Its children are deleted before, or together with it.
 */
export function removeVoucher({ project, now }: Pick<Reading, 'project' | 'now'>, item: VoucherItem): Effect[] {
  const key = vouchers(project.id, item.id);
  return [removeFenced(key, (update) => requireUnchanged(update, item), now), ...release(project.id, item)];
}

/** Does the same, but leaves a tombstone that keeps the code. */
export function buryVoucher({ project, now }: Pick<Reading, 'project' | 'now'>, item: VoucherItem): Effect[] {
  const key = vouchers(project.id, item.id);
  return [
    change(key, (update) => setDue(bury(requireUnchanged(update, item), listsOfVouchers, now), key, undefined)),
    ...release(project.id, item),
  ];
}
