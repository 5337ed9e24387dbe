import { notFound } from '#kernel/core/errors.ts';
import type { Showing } from '#kernel/http/context.ts';
import { findVoucher, showVoucher } from './find-voucher.ts';
import type { Voucher } from './voucher.ts';

export async function getVoucher(context: Showing, codeOrId: string): Promise<Voucher> {
  const item = await findVoucher(context, codeOrId);
  if (!item) throw notFound('voucher', codeOrId);
  return showVoucher(context, item);
}
