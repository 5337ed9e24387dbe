import type { Showing } from '../context.ts';
import { type MemberPath, memberOfPath } from '../loyalty/member-of-path.ts';
import { showVoucher } from '../vouchers/find-voucher.ts';
import type { Voucher } from '../vouchers/voucher.ts';

export async function getMember(context: Showing, path: MemberPath): Promise<Voucher> {
  return showVoucher(context, await memberOfPath(context, path));
}
