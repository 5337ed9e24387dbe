import { notFound } from '../errors.ts';
import { type Context, findVoucher, showVoucher } from './find-voucher.ts';
import type { Voucher } from './voucher.ts';

/** Contract, endpoint 13. */
export async function getVoucher(context: Context, codeOrId: string): Promise<Voucher> {
  const item = await findVoucher(context, codeOrId);
  if (!item) throw notFound('voucher', codeOrId);
  return showVoucher(context, item);
}
