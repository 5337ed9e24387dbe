import * as v from 'valibot';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import { explainMissing } from '#kernel/access/projects/retention.ts';
import { notFound } from '#kernel/core/errors.ts';
import { readIdTime } from '#kernel/core/ids.ts';
import { count } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { pageQuery } from '#kernel/http/page.ts';
import { read } from '#kernel/table/read.ts';
import { listRedemptionsOfObject } from './list-redemptions.ts';
import { type Redemption, type Rollback, redemptionOrRollback, showRedemptions } from './present-redemption.ts';
import { type RedemptionItem, redemptions } from './redemption.ts';

const kinds = ['redemption', 'failed_redemption', 'rollback', 'failed_rollback'] as const;

/** Finds a redemption. 404 if it is missing, with details if the project no longer keeps redemptions of its age. */
export async function redemptionOr404({ table, project, now }: Showing, id: string): Promise<RedemptionItem> {
  const { found } = await read(table, { found: redemptions(project.id, id) });
  if (found) return found;
  const [made] = kinds.flatMap((kind) => readIdTime(kind, id) ?? []);
  const why = explainMissing(project, 'redemptions', made, now);
  throw notFound('redemption', id, why);
}

/** Returns a redemption or a rollback, successful or failed. */
export async function getRedemption(context: Showing, id: string): Promise<Redemption | Rollback> {
  const [shown] = await showRedemptions(context, [await redemptionOr404(context, id)], { voucher: 'slim' });
  if (!shown) throw notFound('redemption', id);
  return shown;
}

export const voucherRedemptions = v.object({
  quantity: v.nullable(count),
  redeemed_quantity: count,
  redeemed_amount: v.optional(count),
  redeemed_points: v.optional(count),
  object: v.literal('list'),
  url: v.string(),
  data_ref: v.literal('redemption_entries'),
  redemption_entries: v.array(redemptionOrRollback),
  total: count,
  has_more: v.boolean(),
});

type Page = v.InferOutput<v.ObjectSchema<typeof pageQuery, undefined>>;

/** Returns the number of the voucher's redemptions, its limit, and its redemptions and rollbacks. */
export async function getVoucherRedemptions(context: Showing, code: string, page: Page) {
  const voucher = await voucherOr404(context, code);
  const { shown, total, has_more } = await listRedemptionsOfObject(context, voucher.id, page);
  const { type, redemption_quantity = null, redeemed_quantity, redeemed_amount, redeemed_points } = voucher;
  return {
    quantity: redemption_quantity,
    redeemed_quantity,
    ...(type === 'GIFT_VOUCHER' ? { redeemed_amount } : {}),
    ...(type === 'LOYALTY_CARD' ? { redeemed_points } : {}),
    object: 'list' as const,
    url: `/v1/vouchers/${encodeURIComponent(voucher.code)}/redemptions?page=1&limit=10`,
    data_ref: 'redemption_entries' as const,
    redemption_entries: shown,
    total,
    has_more,
  };
}

/** Answers the address in `redemption.url` of a voucher. */
export async function listVoucherRedemptions(context: Showing, code: string, page: Page) {
  const { id } = await voucherOr404(context, code);
  const { shown, total, has_more } = await listRedemptionsOfObject(context, id, page);
  return { object: 'list' as const, data_ref: 'redemptions' as const, redemptions: shown, total, has_more };
}
