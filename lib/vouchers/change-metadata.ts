import { changedAt } from '../codes/voucher-lists.ts';
import type { Showing } from '../context.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { change, commit } from '../table/effects.ts';
import { mergeMetadata } from '../terms/merge-metadata.ts';
import { voucherOr404 } from './find-voucher.ts';
import { vouchers } from './voucher.ts';

/** Merges metadata into that of a voucher, key by key. */
export function changeMetadata(
  context: Showing,
  codeOrId: string,
  sent: Readonly<Record<string, unknown>>,
): Promise<true> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const { id, metadata } = await voucherOr404(context, codeOrId);
    const merged = mergeMetadata('metadata', metadata, sent);
    const isEmpty = Object.keys(metadata).length === 0;
    const done = await commit(table, [
      change(vouchers(project.id, id), (update) =>
        changedAt(
          isEmpty ? update.whenUnsetOr('metadata', metadata) : update.whenStill('metadata', metadata),
          project.id,
          id,
          now.toISOString(),
        )
          .whenThere()
          .set(['metadata'], merged),
      ),
    ]);
    return done || undefined;
  });
}
