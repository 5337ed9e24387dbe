import { showVoucher } from '#engine/vouchers/find-voucher.ts';
import type { Voucher } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type MemberPath, memberOr404 } from '../member-path.ts';

export async function getMember(context: Showing, path: MemberPath): Promise<Voucher> {
  return showVoucher(context, await memberOr404(context, path));
}
