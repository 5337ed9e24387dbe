import type { Refusal } from '#engine/rules/benefit.ts';
import type { Bundles } from '#engine/rules/bundle.ts';
import { type ErrorKey, errorCatalogue, giftCardMessages } from '#kernel/core/errors.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import type { Considered, Outcome, ShownOrder } from '../engine/checkout.ts';
import type { SkipKey } from '../engine/stacking-rules.ts';
import type { FoundRedeemable } from './build-redeemable.ts';
import type { AskedRedeemable } from './checkout-body.ts';
import type { Gathered } from './gather.ts';
import type { ShownRedeemable } from './shown-redeemable.ts';
import { mustHold } from './state-refusal.ts';
import { findTargetCategory } from './targets.ts';

/** Texts for redeemables that are left out. */
const skipped: Readonly<Record<SkipKey, string>> = {
  exclusion_rules_not_met: 'Redeemable cannot be applied due to exclusion rules',
  applicable_redeemables_limit_exceeded: 'Applicable redeemables limit exceeded',
  applicable_redeemables_per_category_limit_exceeded: 'Applicable redeemables limit per category exceeded',
  applicable_exclusive_redeemables_limit_exceeded: 'Applicable exclusive redeemables limit exceeded',
  applicable_exclusive_redeemables_per_category_limit_exceeded:
    'Applicable exclusive redeemables limit per category exceeded',
  preceding_validation_failed: 'Redeemable cannot be applied due to preceding validation failure',
  no_effect: 'Redeemable has no effect',
};

/** Explains a discount of 0 that another order of application would have avoided. */
export const paidBefore = {
  key: 'paid_before',
  message: 'The discount took nothing, because credits or points were applied before it',
} as const;

/** Tracks the size of a reply that shows an order with each redeemable. */
export function createCheckoutRoom(): ReplyRoom {
  return new ReplyRoom('leave order out of options.expand, send fewer redeemables, or a smaller order');
}

interface ShowingErrors {
  readonly requestId: string;
  /** The parts that replies show with each redeemable. */
  readonly expand: ReadonlySet<string>;
}

export type NamedRedeemable = Pick<FoundRedeemable, 'target'>;

/** Names a voucher by its code, whatever name was sent. */
export function showName({ target: { voucher, asked } }: NamedRedeemable): Pick<AskedRedeemable, 'id' | 'object'> {
  return { id: voucher?.code ?? asked.id, object: asked.object };
}

const lacking: Readonly<Partial<Record<ErrorKey, string>>> = {
  missing_amount: 'order.amount is required, or order.items with prices',
  missing_order: 'order is required',
  missing_order_items: 'order.items must not be empty',
  missing_order_items_amount: 'order.items must have a line with a price or an amount that the discount is for',
};

/** Keys whose details begin with the code, as clients compare them, and continue in parentheses. */
const inParentheses: readonly ErrorKey[] = ['gift_amount_exceeded', 'loyalty_card_points_exceeded'];

/** Returns the details: what the caller must change, or what was refused. */
export function explainRefusal({ key, details }: Refusal, one: NamedRedeemable): string {
  const { id } = showName(one);
  if (details !== undefined && inParentheses.includes(key)) return `${id} (${details})`;
  return details ?? lacking[key] ?? id;
}

/**
 * Returns the message. Gift cards have a specific message for missing fields, and loyalty cards for a customer who is
 * not the holder.
 */
export function chooseMessage({ key }: Refusal, { target: { voucher } }: NamedRedeemable): string {
  const { message } = errorCatalogue[key];
  if (key === 'invalid_customer' && voucher?.type === 'LOYALTY_CARD') return mustHold;
  return voucher?.type === 'GIFT_VOUCHER' ? (giftCardMessages[key] ?? message) : message;
}

/** Shows a redeemable in a reply, or in `inapplicable_redeemables`. */
export function showError(refusal: Refusal, one: NamedRedeemable, requestId: string) {
  const { key, message } = refusal;
  const { id, object } = showName(one);
  const missing = refusal.missing ?? { id, type: object };
  return {
    code: errorCatalogue[key].status,
    key,
    message: chooseMessage(refusal, one),
    details: explainRefusal(refusal, one),
    request_id: requestId,
    ...(key === 'not_found' ? { resource_id: missing.id, resource_type: missing.type } : {}),
    redeemable_id: id,
    redeemable_type: object,
    ...(message === undefined ? {} : { error: { message } }),
  };
}

export type JudgedCheckout = Pick<Gathered, 'asked' | 'customer' | 'order'>;

/** Shows the customer of the judgement. A page that guesses a source id must not learn whether the customer exists. */
function shownCustomer({ customer, asked }: JudgedCheckout) {
  const id = asked.browser ? undefined : customer?.before?.id;
  return id === undefined ? { customer_id: null } : { customer_id: id, customer: { id, object: 'customer' as const } };
}

/** Shows the order of a validation, which is not stored. */
export function showJudgedOrder<T extends Partial<ShownOrder>>(order: T, judged: JudgedCheckout) {
  return {
    ...order,
    metadata: judged.order?.metadata ?? {},
    ...shownCustomer(judged),
    referrer_id: null,
    object: 'order' as const,
  };
}

/** Shows the order of one redeemable. It has no metadata unless the order has some. */
export function showOrderOfRedeemable<T extends Partial<ShownOrder>>(order: T, judged: JudgedCheckout) {
  const { metadata, ...shown } = showJudgedOrder(order, judged);
  return Object.keys(metadata).length === 0 ? shown : { ...shown, metadata };
}

/** Limits texts in traces. Longer texts come from metadata, and only their beginning is shown. */
const maxSeen = 200;

function seen(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length <= maxSeen ? value : text.slice(0, maxSeen).toWellFormed();
}

function tracesOf({ traces }: Refusal) {
  return traces?.().map(({ id, steps }) => ({
    id,
    rules: steps.map(({ failed, ...step }) => ({
      ...step,
      ...(failed ? { failed: { ...failed, value: seen(failed.value) } } : {}),
    })),
  }));
}

function resultOf(
  outcome: Outcome,
  one: FoundRedeemable,
  { requestId, expand }: ShowingErrors,
): ShownRedeemable['result'] {
  switch (outcome.status) {
    case 'APPLICABLE': {
      const { discount, ...others } = outcome.result;
      return { ...(discount ? { discount: { ...discount } } : {}), ...withBundle(others) };
    }
    case 'INAPPLICABLE': {
      const { refusal } = outcome;
      const error = showError(refusal, one, requestId);
      const details = { key: error.key, message: error.message };
      const traces = expand.has('validation_rules') ? tracesOf(refusal) : undefined;
      return {
        error,
        details,
        ...withBundle(refusal.bundle ? { bundle: refusal.bundle } : {}),
        ...(traces ? { validation_rules: traces } : {}),
      };
    }
    case 'SKIPPED':
      return { details: { key: outcome.key, message: skipped[outcome.key] } };
  }
}

function withBundle({ bundle, ...result }: Extract<Outcome, { status: 'APPLICABLE' }>['result']) {
  const { discount: _, isPaidBefore, ...others } = result;
  return {
    ...others,
    ...(bundle ? { bundle: copyBundle(bundle) } : {}),
    ...(isPaidBefore ? { details: { ...paidBefore } } : {}),
  };
}

export function copyBundle(bundle: Bundles) {
  return { ...bundle, identified: [...bundle.identified], missing: [...bundle.missing] };
}

const nothing: ReadonlySet<string> = new Set();

/** Returns the redeemable itself, if the request expands it. */
function expanded({ target, campaign }: FoundRedeemable, gathered: Gathered, expand: ReadonlySet<string>) {
  const { voucher, tier } = target;
  const category = findTargetCategory(target, campaign, gathered.terms.categories);
  return {
    metadata: expand.has('redeemable') ? ((voucher ?? tier)?.metadata ?? {}) : {},
    ...(expand.has('redeemable') && campaign ? { campaign_name: campaign.name, campaign_id: campaign.id } : {}),
    ...(expand.has('redeemable') && tier ? { name: tier.name } : {}),
    ...(expand.has('category') ? { categories: category ? [category] : [] } : {}),
  };
}

export function showRedeemable(
  { redeemable, outcome }: Considered<FoundRedeemable>,
  gathered: Gathered,
  showing: ShowingErrors,
): ShownRedeemable {
  const { expand } = showing;
  const applied =
    outcome.status === 'APPLICABLE'
      ? {
          ...(expand.has('order') && gathered.order ? { order: showOrderOfRedeemable(outcome.order, gathered) } : {}),
          applicable_to: copyScope(outcome.applicable_to),
          inapplicable_to: copyScope(outcome.inapplicable_to),
        }
      : {};
  return {
    status: outcome.status,
    ...showName(redeemable),
    ...applied,
    result: resultOf(outcome, redeemable, showing),
    // A page sees nothing of a redeemable that it cannot use now.
    ...expanded(redeemable, gathered, outcome.status === 'INAPPLICABLE' && gathered.asked.browser ? nothing : expand),
  };
}

export function copyScope(list: Extract<Outcome, { status: 'APPLICABLE' }>['applicable_to']) {
  return {
    ...list,
    data: list.data.map(({ order_item_indices: indices, order_item_units: units, ...entry }) => ({
      ...entry,
      ...(indices ? { order_item_indices: [...indices] } : {}),
      ...(units ? { order_item_units: units.map((one) => ({ ...one, units: one.units && [...one.units] })) } : {}),
    })),
  };
}
