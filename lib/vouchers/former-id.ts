import * as v from 'valibot';
import { idPrefixes } from '../core/ids.ts';
import type { Reading } from '../http/context.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { kind } from '../table/kind.ts';
import { kinds } from '../table/kind-names.ts';
import { read } from '../table/read.ts';
import { type VoucherItem, voucherItem, vouchers } from './voucher.ts';

/** Leads from the id that a voucher had at another service to its id here. */
export const formerVouchers = kind(kinds.formerVoucher, v.object({ voucher_id: v.string() }));

type Context = Pick<Reading, 'table' | 'project'>;

/** Returns the stored voucher that had this id at another service. Reads nothing for other texts, such as mistyped codes. */
export async function readByFormerId({ table, project }: Context, id: string): Promise<Attributes | undefined> {
  if (!id.startsWith(idPrefixes.voucher)) return undefined;
  const { former } = await read(table, { former: formerVouchers(project.id, id) });
  if (!former) return undefined;
  const [item] = await table.getMany([vouchers(project.id, former.voucher_id)]);
  return item;
}

export async function findByFormerId(context: Context, id: string): Promise<VoucherItem | undefined> {
  const item = await readByFormerId(context, id);
  return item && parseStored(voucherItem, item);
}
