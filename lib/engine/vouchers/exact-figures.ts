import { countExactly, redemptionRecords } from '#engine/holds/hold-item.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

/** Returns the voucher with figures that its item alone does not hold. Most vouchers need no further read. */
export async function readExactFigures(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  item: VoucherItem,
): Promise<VoucherItem> {
  if (item.blocks_until === undefined) return item;
  const place = { key: vouchers(project.id, item.id), attribute: 'redeemed_quantity' } as const;
  const { blocks_until: _, ...others } = item;
  return { ...others, redeemed_quantity: await countExactly({ table, project }, redemptionRecords, place) };
}
