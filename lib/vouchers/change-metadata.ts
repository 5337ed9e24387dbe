import { mergeMetadata } from '../core/merge-metadata.ts';
import type { Showing } from '../http/context.ts';
import { noteChange } from '../ledger/codes/voucher-lists.ts';
import { again, retryOptimistically } from '../table/conflicts.ts';
import { change, commit } from '../table/effects.ts';
import type { Update } from '../table/update.ts';
import { voucherOr404 } from './find-voucher.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

/** Merges sent metadata into the voucher's, key by key, if it has not changed since it was read. `null` clears everything. */
export function mergeVoucherMetadata(
  update: Update,
  { metadata }: Pick<VoucherItem, 'metadata'>,
  sent: Readonly<Record<string, unknown>> | null,
): Update {
  const isEmpty = Object.keys(metadata).length === 0;
  return (isEmpty ? update.whenUnsetOr('metadata', metadata) : update.whenStill('metadata', metadata)).set(
    ['metadata'],
    mergeMetadata('metadata', metadata, sent),
  );
}

/** Merges metadata into the metadata of a voucher, key by key. */
export function changeVoucherMetadata(
  context: Showing,
  codeOrId: string,
  sent: Readonly<Record<string, unknown>>,
): Promise<true> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const item = await voucherOr404(context, codeOrId);
    const done = await commit(table, [
      change(vouchers(project.id, item.id), (update) =>
        mergeVoucherMetadata(noteChange(update, project.id, item.id, now.toISOString()).whenThere(), item, sent),
      ),
    ]);
    return done || again;
  });
}
