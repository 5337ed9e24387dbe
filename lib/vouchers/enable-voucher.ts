import type { Showing } from '../context.ts';
import { notFound } from '../errors.ts';
import { onceWritten } from '../table/conflicts.ts';
import { parseStored } from '../table/item.ts';
import { showVoucher, voucherKeys } from './find-voucher.ts';
import { type Voucher, voucherItem } from './voucher.ts';

/** A voucher that is on already stays unchanged, `updated_at` too. */
export async function enableVoucher(context: Showing, codeOrId: string): Promise<Voucher> {
  for (const key of voucherKeys(context.project, codeOrId)) {
    const { item } = await context.table.change(key, {
      set: 'SET #active = :on, #updated_at = :now',
      condition: 'attribute_exists(#id) AND (attribute_not_exists(#active) OR #active <> :on)',
      names: { '#id': 'id', '#active': 'active', '#updated_at': 'updated_at' },
      values: { ':on': true, ':now': context.now.toISOString() },
    });
    if (item) return onceWritten(() => showVoucher(context, parseStored(voucherItem, item)));
  }
  throw notFound('voucher', codeOrId);
}
