import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import {
  array,
  count,
  identifier,
  keptText,
  nullable,
  object,
  positiveInteger,
  sentCount,
} from '#kernel/core/schema.ts';
import { checkCurrency } from '../orders/next-order.ts';
import { maxLines } from '../orders/resource.ts';

/** Reads a cart in the format of UCP or ACP. Unknown fields are ignored. */

/** Limits the codes of a cart, as other checkouts limit their redeemables. */
const maxCodes = 30;

const maxClaims = 100;

/** One step of the sale is 10 to the power of minus this number. UCP has no finer steps. */
const maxScale = 15;

const price = described(nullable(sentCount), 'The price of one unit, in minor currency units.');

const item = object({
  id: described(identifier, 'The id or source id of an SKU or product.'),
  title: nullable(keptText),
  name: nullable(keptText),
  price,
  unit_amount: price,
  quantity_unit: nullable(
    object({ scale: nullable(v.pipe(count, v.maxValue(maxScale, `must be ${maxScale} or less`))) }),
  ),
});

const line = v.pipe(
  object({
    id: described(nullable(identifier), 'The id of the line. Without `item`, it names the SKU or product, as in ACP.'),
    item: nullable(item),
    quantity: nullable(positiveInteger),
    name: nullable(keptText),
    unit_amount: price,
  }),
  v.check(({ id, item }) => Boolean(item ?? id), 'must have item.id, or id'),
);

const buyer = object({
  customer_id: described(
    nullable(identifier),
    'The id or source id of the customer. Send it only for a buyer who has signed in at the shop.',
  ),
  authentication_status: described(
    nullable(keptText),
    'With `guest` or `requires_signin`, the buyer counts as unknown, whatever `customer_id` says.',
  ),
});

const codes = array(keptText, maxCodes);

export const commerceCart = object({
  line_items: described(
    v.pipe(array(line, maxLines), v.minLength(1, 'must not be empty')),
    'The lines of the cart. A price that is not sent is the price of the stored SKU or product.',
  ),
  currency: described(
    nullable(keptText),
    'The currency (ISO 4217). The reply repeats it. It must be the currency of the project, if set.',
  ),
  buyer: nullable(buyer),
  context: nullable(
    object({
      eligibility: described(
        nullable(array(keptText, maxClaims)),
        'Memberships that the buyer claims. They earn nothing before the shop has verified the buyer.',
      ),
    }),
  ),
  discounts: nullable(object({ codes: described(nullable(codes), 'The codes to apply, in any case.') })),
  coupons: described(nullable(codes), 'The codes, if `discounts.codes` is not sent. ACP deprecates this field.'),
});

type SentCart = v.InferOutput<typeof commerceCart>;
type SentCommerceLine = SentCart['line_items'][number];

/** A line, in the meaning of both protocols. */
export interface CommerceLine {
  /** The line's own id, if the cart sends it. */
  readonly id: string | undefined;
  readonly itemId: string;
  readonly title: string | undefined;
  readonly price: number | undefined;
  readonly quantity: number;
  /** Sold by weight or length: `quantity` counts steps of 10 to the power of minus `scale`. */
  readonly scale: number;
}

export interface CommerceCart {
  readonly lines: readonly CommerceLine[];
  readonly codes: readonly string[];
  readonly currency: string | undefined;
  /** The name of the verified customer. */
  readonly customerName: string | undefined;
  readonly claims: readonly string[];
}

function readLine({ id, item, quantity, name, unit_amount }: SentCommerceLine): CommerceLine {
  return {
    id: item ? (id ?? undefined) : undefined,
    itemId: item?.id ?? id ?? '',
    title: item?.title ?? item?.name ?? name ?? undefined,
    price: item?.price ?? item?.unit_amount ?? unit_amount ?? undefined,
    quantity: quantity ?? 1,
    scale: item?.quantity_unit?.scale ?? 0,
  };
}

function isKnown({ authentication_status: status }: NonNullable<SentCart['buyer']>): boolean {
  return status !== 'guest' && status !== 'requires_signin';
}

export function readCommerceCart(
  { line_items, currency, buyer, context, discounts, coupons }: SentCart,
  project: Pick<Project, 'currency'>,
): CommerceCart {
  checkCurrency('currency', currency, project);
  return {
    lines: line_items.map(readLine),
    codes: discounts?.codes ?? coupons ?? [],
    currency: currency ?? undefined,
    customerName: buyer && isKnown(buyer) ? (buyer.customer_id ?? undefined) : undefined,
    claims: context?.eligibility ?? [],
  };
}

/** Throws 400 if a line has no price, because a cart without prices has no discounts. */
export function checkPrices(lines: readonly { readonly amount?: number | undefined }[]): void {
  const faults = lines.flatMap(({ amount }, index) =>
    amount === undefined
      ? [`line_items[${index}].item.price must be sent, because no SKU or product with a price has this id`]
      : [],
  );
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: faults.slice(0, 20).join('; ') });
}
