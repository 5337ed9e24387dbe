import * as v from 'valibot';
import { category } from '#engine/rules/categories/resource.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count, integer, listEnvelope, metadata } from '#kernel/core/schema.ts';
import { redeemableOrder } from '../orders/redeemed-order.ts';

/** Describes redeemables in replies: their effects on the order, or why they have none. */

const text = v.optional(v.string());
const figure = v.optional(count);

const itemUnits = v.object({
  index: count,
  units: v.optional(v.array(count)),
  units_limit_exceeded: v.boolean(),
});

/** A product, SKU or collection that a discount includes or excludes, and the discount of its lines. */
const scopeEntry = named(
  'ApplicableEntry',
  v.object({
    object: v.picklist(['product', 'sku', 'products_collection']),
    id: text,
    source_id: text,
    product_id: text,
    product_source_id: text,
    strict: v.optional(v.boolean()),
    price: figure,
    price_formula: text,
    effect: text,
    quantity_limit: figure,
    aggregated_quantity_limit: figure,
    amount_limit: figure,
    aggregated_amount_limit: figure,
    skip_initially: figure,
    repeat: figure,
    target: text,
    order_item_indices: v.optional(v.array(count)),
    order_item_units: v.optional(v.array(itemUnits)),
  }),
);

export const scopeList = listEnvelope(scopeEntry);

const reference = { id: v.string(), object: v.string() };

export const shownBundle = v.object({
  quantity: count,
  limit: count,
  identified: v.array(v.object({ ...reference, item_index: count, item_quantity: count })),
  missing: v.array(v.object({ ...reference, item_quantity: count })),
});

/** The definition of the discount, with its effect here. */
export const shownDiscount = named(
  'AppliedDiscount',
  v.looseObject({ type: v.optional(v.string()), effect: v.string(), is_dynamic: v.boolean() }),
);

export const shownError = named(
  'RedeemableError',
  v.object({
    code: integer,
    key: v.string(),
    message: v.string(),
    details: text,
    request_id: v.string(),
    resource_id: text,
    resource_type: text,
    redeemable_id: text,
    redeemable_type: text,
    /** The shop's own message. */
    error: v.optional(v.object({ message: v.string() })),
  }),
);

export const why = v.object({ key: v.string(), message: v.string() });

/** One rule of a document by itself, without the document's logic. An unmet rule shows its condition and the value. */
const shownStep = v.object({
  rule: v.string(),
  met: v.boolean(),
  failed: v.optional(v.object({ rule: v.string(), name: v.string(), property: text, value: v.optional(v.unknown()) })),
});

const shownTrace = named('ValidationRuleTrace', v.object({ id: v.string(), rules: v.array(shownStep) }));

/**
 * `discount`, `gift` or `loyalty_card` of an applied redeemable, `error` of a failed redeemable, `details` of a
 * redeemable that is left out. `details` also explain a discount of 0 after a payment.
 */
const result = v.object({
  discount: v.optional(shownDiscount),
  gift: v.optional(v.object({ balance: count, credits: count })),
  loyalty_card: v.optional(v.object({ points: count })),
  bundle: v.optional(shownBundle),
  error: v.optional(shownError),
  details: v.optional(why),
  /** Present if `expand` names them. */
  validation_rules: v.optional(v.array(shownTrace)),
});

export const shownRedeemable = named(
  'Redeemable',
  v.object({
    status: v.picklist(['APPLICABLE', 'INAPPLICABLE', 'SKIPPED']),
    /** The code of a voucher. */
    id: v.string(),
    object: described(
      v.picklist(['voucher', 'promotion_tier', 'promotion_stack']),
      'The type. A stack is only shown if it is missing, otherwise its tiers are shown.',
    ),
    order: v.optional(redeemableOrder),
    applicable_to: v.optional(scopeList),
    inapplicable_to: v.optional(scopeList),
    result,
    metadata: v.optional(metadata),
    categories: v.optional(v.array(category.reply)),
    campaign_name: text,
    campaign_id: text,
    name: text,
  }),
);

export type ShownRedeemable = v.InferInput<typeof shownRedeemable>;
