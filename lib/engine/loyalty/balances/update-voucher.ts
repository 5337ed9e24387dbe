import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { chooseCategories } from '#engine/rules/categories/resource.ts';
import { changeVoucher, checkChange } from '#engine/vouchers/change-voucher.ts';
import { showVoucher, voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import { type Voucher, vouchers } from '#engine/vouchers/voucher.ts';
import type { UpdateVoucherBody } from '#engine/vouchers/voucher-body.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { setCredits, setPoints } from './set-figure.ts';

/** Changes a voucher. A new amount of a gift voucher, or new points of a card, are posted as a difference in the same transaction. */
export async function updateVoucher(context: Writing, codeOrId: string, body: UpdateVoucherBody): Promise<Voucher> {
  const { table, project } = context;
  const occasion = readOccasion(context);
  const key = await retryOptimistically(table, async () => {
    const item = await voucherOr404(context, codeOrId);
    const [terms, { categories, created }] = await Promise.all([
      readTerms(context, [item.campaign_id]),
      chooseCategories(context, [], [body]),
    ]);
    const campaign = terms.get(item.campaign_id ?? '');
    checkChange(item, campaign, body);
    const posted =
      item.type === 'LOYALTY_CARD'
        ? await setPoints(context, item, occasion, body.loyalty_card?.points)
        : setCredits(context, { item, campaign }, occasion, body.gift?.amount);
    if (posted === again) return again;
    const key = vouchers(project.id, item.id);
    const effects = [changeVoucher(context, { item, campaign, categories }, body), ...posted, ...created];
    return (await commit(table, effects)) ? key : again;
  });
  return readAfterWrite(async () => {
    const { item } = await read(table, { item: key });
    if (!item) throw notFound('voucher', codeOrId);
    return showVoucher(context, item);
  });
}
