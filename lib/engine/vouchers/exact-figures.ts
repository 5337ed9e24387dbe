import { readCommittedUses } from '#engine/holds/committed-uses.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

/** Returns the voucher with figures that its item alone does not hold. Most vouchers need no further read. */
export function readExactFigures(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  item: VoucherItem,
): Promise<VoucherItem> {
  const key = vouchers(project.id, item.id);
  return readCommittedUses({ table, project }, { key, item, attribute: 'redeemed_quantity' });
}
