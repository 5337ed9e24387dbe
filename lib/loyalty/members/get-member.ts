import type { Showing } from '../../http/context.ts';
import { showVoucher } from '../../vouchers/find-voucher.ts';
import type { Voucher } from '../../vouchers/voucher.ts';
import { type MemberPath, memberOr404 } from '../member-path.ts';

export async function getMember(context: Showing, path: MemberPath): Promise<Voucher> {
  return showVoucher(context, await memberOr404(context, path));
}
