import * as v from 'valibot';
import { category } from '#engine/rules/categories/resource.ts';
import { inheritValidity } from '#engine/rules/validity/validity.ts';
import { described, named } from '#kernel/core/documented.ts';
import { array, count, dateTime, metadata, nullable, object } from '#kernel/core/schema.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import {
  type AskedByBrowser,
  checkoutFields,
  maxExpansions,
  readAsked,
  sentGift,
  sentReward,
} from '../request/checkout-body.ts';
import { copyScope, showError, showJudgedOrder } from '../request/show-redeemable.ts';
import { scopeList, shownDiscount, shownError } from '../request/shown-redeemable.ts';
import { findTargetCategory, readCampaignId } from '../request/targets.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { decideAndNote, type Validated, type Validating } from './validate.ts';
import { shownSession } from './validation.ts';

/** Validates and redeems one voucher by its code. */

/** The body is optional. */
export const oneVoucherBody = v.optional(
  object({
    ...checkoutFields,
    gift: nullable(sentGift),
    reward: nullable(sentReward),
    options: nullable(object({ expand: nullable(array(v.picklist(['category']), maxExpansions)) })),
  }),
  {},
);

export type OneVoucherBody = v.InferOutput<typeof oneVoucherBody>;

const text = v.optional(v.string());

export const voucherValidation = named(
  'VoucherValidation',
  v.object({
    valid: v.boolean(),
    code: v.string(),
    applicable_to: v.optional(scopeList),
    inapplicable_to: v.optional(scopeList),
    discount: v.optional(shownDiscount),
    gift: v.optional(v.object({ amount: count, balance: count, effect: text, credits: count })),
    loyalty: v.optional(v.object({ points_cost: count })),
    reward: v.optional(v.object({ id: v.string(), assignment_id: v.string(), points: count })),
    order: v.optional(redeemedOrder),
    campaign: text,
    campaign_id: text,
    categories: v.optional(v.array(category.reply)),
    start_date: v.optional(dateTime),
    expiration_date: v.optional(dateTime),
    tracking_id: text,
    session: v.optional(shownSession),
    metadata,
    reason: described(text, 'The reason for which the voucher is not valid.'),
    error: v.optional(v.union([shownError, v.object({ message: v.string() })])),
  }),
);

export type VoucherValidation = v.InferInput<typeof voucherValidation>;

export function readAskedVoucher(code: string, { gift, reward, ...body }: OneVoucherBody, browser?: AskedByBrowser) {
  return readAsked({ ...body, redeemables: [{ object: 'voucher', id: code, gift, reward }] }, browser);
}

function what(
  one: FoundRedeemable,
  result: { gift?: { balance: number; credits: number }; loyalty_card?: { points: number } },
) {
  const { voucher } = one.target;
  const { gift, loyalty_card: card } = result;
  const { amount = 0, effect } = voucher?.gift ?? {};
  return {
    ...(gift
      ? { gift: { amount: amount + (voucher?.gift_credited ?? 0), ...gift, ...(effect ? { effect } : {}) } }
      : {}),
    ...(card ? { loyalty: { points_cost: card.points } } : {}),
    ...(card && one.reward
      ? { reward: { id: one.reward.reward.id, assignment_id: one.reward.assignment.id, points: card.points } }
      : {}),
  };
}

/** Shows the voucher itself, besides its effects. */
function about({ target, campaign }: FoundRedeemable, { gathered }: Validated, body: OneVoucherBody) {
  const { voucher } = target;
  const dates = voucher ? inheritValidity(voucher, campaign) : undefined;
  const own = findTargetCategory(target, campaign, gathered.terms.categories);
  return {
    ...(campaign ? { campaign: campaign.name, campaign_id: campaign.id } : {}),
    ...(body.options?.expand?.includes('category') ? { categories: own ? [own] : [] } : {}),
    ...(dates?.start_date ? { start_date: dates.start_date } : {}),
    ...(dates?.expiration_date ? { expiration_date: dates.expiration_date } : {}),
    metadata: voucher?.metadata ?? {},
  };
}

/** Returns whether the code is unknown, or its campaign was deleted. */
function isMissing({ target, campaign }: FoundRedeemable): boolean {
  return target.voucher === undefined || (readCampaignId(target) !== undefined && campaign === undefined);
}

/** Validates the voucher. Answers 200 even if it cannot be used. `browser` is present if a browser calls. */
export async function validateVoucher(
  context: Validating,
  code: string,
  body: OneVoucherBody,
  browser?: AskedByBrowser,
): Promise<VoucherValidation> {
  const validated = await decideAndNote(context, readAskedVoucher(code, body, browser));
  const { gathered, decided, session } = validated;
  const [considered] = decided.considered;
  if (!considered) throw new Error('a voucher that is asked about is considered');
  const { redeemable: one, outcome } = considered;
  const tracking = readTrackingId(context, gathered);
  const beside = {
    code: one.target.voucher?.code ?? code,
    ...(tracking === undefined ? {} : { tracking_id: tracking }),
  };
  if (outcome.status !== 'APPLICABLE') {
    const refusal = outcome.status === 'INAPPLICABLE' ? outcome.refusal : { key: 'no_applicable_redeemables' as const };
    const { error: words, ...error } = showError(refusal, one, context.requestId);
    const reason = words?.message ?? (isMissing(one) ? 'voucher not found' : error.message);
    return { valid: false, ...beside, reason, error: words ?? error, metadata: one.target.voucher?.metadata ?? {} };
  }
  const { discount, ...others } = outcome.result;
  return {
    valid: true,
    ...beside,
    applicable_to: copyScope(outcome.applicable_to),
    inapplicable_to: copyScope(outcome.inapplicable_to),
    ...(discount ? { discount: { ...discount } } : {}),
    ...what(one, others),
    ...(gathered.order ? { order: showJudgedOrder(outcome.order, gathered) } : {}),
    ...about(one, validated, body),
    ...(session ? { session } : {}),
  };
}
