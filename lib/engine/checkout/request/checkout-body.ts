import * as v from 'valibot';
import {
  type CreateCustomerBody,
  createCustomerBody,
  isEmptyCustomer,
  readCustomerData,
} from '#engine/customers/customer-body.ts';
import type { BrowserRights, NamedCustomer } from '#engine/customers/upsert-customer.ts';
import { longestSession, readLifeInMs } from '#engine/holds/session.ts';
import type { AskedReward } from '#engine/loyalty/rewards/find-reward.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { array, identifier, nullable, object, positiveInteger, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import { createOrderBody, type OrderBody } from '../orders/order-body.ts';

/** Describes the bodies of validations and redemptions (docs/checkout.md#checkout). */

/** Limits the redeemables of a request. The project's stacking rules may allow fewer. */
const maxRedeemables = 30;

export const sentReward = object({
  id: described(nullable(identifier), 'The reward that the points of a loyalty card pay for.'),
  assignment_id: nullable(identifier),
  points: described(
    nullable(sentCount),
    'The points to pay with. Without it, the order uses all the points that it needs.',
  ),
});

export const sentGift = object({
  credits: described(
    nullable(sentCount),
    'The credits of a gift card to use. Without it, the order uses all the credits that it needs.',
  ),
});

const asked = object({
  object: described(v.picklist(['voucher', 'promotion_tier', 'promotion_stack']), 'The type of the redeemable.'),
  id: described(
    identifier,
    'The code of a voucher, or the id of a promotion tier or stack. A stack is sent alone, and its tiers replace ' +
      'it.',
  ),
  gift: nullable(sentGift),
  reward: nullable(sentReward),
});

const units = ['DAYS', 'HOURS', 'MINUTES', 'SECONDS', 'MILLISECONDS', 'MICROSECONDS', 'NANOSECONDS'] as const;

export const ttlUnit = v.picklist(units);

const sessionFields = {
  type: v.literal('LOCK'),
  key: described(
    nullable(identifier),
    'The key of the session, for all redeemables. Without it, the reply has a new key.',
  ),
};

function sessionOfAtMost({ inMs, words }: { readonly inMs: number; readonly words: string }, usual: string) {
  const ttl = `The time for which the session locks the redeemables, in \`ttl_unit\`. It is at most ${words}. Without it, the time is ${usual}.`;
  return v.pipe(
    object({ ...sessionFields, ttl: described(nullable(positiveInteger), ttl), ttl_unit: nullable(ttlUnit) }),
    v.check((asked) => (readLifeInMs(asked) ?? 0) <= inMs, `must last at most ${words}, by its ttl and ttl_unit`),
  );
}

export const sentSession = sessionOfAtMost(longestSession.server, '7 days');

/** Limits the sessions of pages. A page's key is public, so it must not lock anything for long. */
export const browserSession = sessionOfAtMost(longestSession.page, longestSession.page.words);

/** Limits the expansions of a request, which needs to name each only once. */
export const maxExpansions = 20;

const expansions = ['order', 'redemption', 'redeemable', 'category', 'validation_rules'] as const;

/** Fields of every use of redeemables. */
export const checkoutFields = {
  customer: nullable(createCustomerBody),
  order: nullable(createOrderBody),
  session: nullable(sentSession),
  tracking_id: described(
    nullable(identifier),
    "A source id. The reply has a tracking id that is made from it. Without it, the customer's source id is used.",
  ),
  metadata: described(nullable(sentMetadata), 'The metadata of the redemption.'),
};

export function sentRedeemables(most: number) {
  return v.pipe(array(asked, most), v.minLength(1, 'must not be empty'));
}

export const checkoutBody = object({
  redeemables: described(sentRedeemables(maxRedeemables), 'The redeemables to use. Each can be named once.'),
  ...checkoutFields,
  options: nullable(object({ expand: nullable(array(v.picklist(expansions), maxExpansions)) })),
});

export type CheckoutBody = v.InferOutput<typeof checkoutBody>;

export interface AskedRedeemable {
  /** `promotion_stack` only remains for a missing stack. The tiers of an existing one are requested instead. */
  readonly object: 'voucher' | 'promotion_tier' | 'promotion_stack';
  readonly id: string;
  readonly credits?: number | undefined;
  readonly reward?: AskedReward | undefined;
  /** The stack of a tier. */
  readonly stack?: { readonly category_id?: string | null | undefined };
}

type AskedSession = v.InferOutput<typeof sentSession>;

interface AskedCustomer {
  readonly data: NamedCustomer;
  /** The place of the customer in the body, which begins the names of fields in errors. */
  readonly place: string;
}

export interface AskedByBrowser {
  /** Identifies a page in sessions: one key at one address. */
  readonly name: string;
  readonly customers: BrowserRights;
}

/** A requested checkout. A `null` object counts as absent. */
export interface Asked {
  /** The id of a promotion stack, whose tiers are requested. */
  readonly stack?: string | undefined;
  readonly redeemables: readonly AskedRedeemable[];
  readonly customer: AskedCustomer | undefined;
  readonly order: OrderBody | undefined;
  readonly session: AskedSession | undefined;
  readonly trackingId: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Present if a browser calls. Metadata and prices of stored products are then ignored, and sessions limited (docs/browser.md#pages). */
  readonly browser?: AskedByBrowser | undefined;
  /** True if the order must be new: 400 `invalid_order` if it is stored. */
  readonly onlyNewOrder?: boolean;
  /** The only customer that a stored order may belong to. The order of another customer is 400 `invalid_customer`. */
  readonly onlyOrderOf?: string;
}

function checkOnce(redeemables: readonly AskedRedeemable[]): void {
  const first = new Map<string, number>();
  for (const [index, { id }] of redeemables.entries()) {
    const place = first.get(id);
    if (place !== undefined) {
      throw new ServiceError('duplicated_redeemables', {
        details: `redeemables[${index}].id repeats redeemables[${place}].id`,
      });
    }
    first.set(id, index);
  }
}

type Sent = CheckoutBody['redeemables'];

/** Returns the requested stack. 400 `invalid_redeemables` if the request also names other redeemables. */
function stackOf(redeemables: Sent): string | undefined {
  const index = redeemables.findIndex(({ object }) => object === 'promotion_stack');
  if (index < 0) return undefined;
  if (redeemables.length === 1) return redeemables[index]?.id;
  throw new ServiceError('invalid_redeemables', {
    details: `redeemables[${index}] is a promotion stack, which must be alone`,
  });
}

/** Returns the sent customer, else the order's. A customer without fields counts as absent. */
function customerOf(
  { customer, order }: Pick<CheckoutBody, 'customer' | 'order'>,
  browserRights: BrowserRights | undefined,
): AskedCustomer | undefined {
  const named = ({ id, source_id, ...fields }: CreateCustomerBody) => ({
    id,
    source_id,
    browserRights,
    ...readCustomerData(fields),
  });
  if (customer && !isEmptyCustomer(customer)) return { data: named(customer), place: 'customer.' };
  const ofOrder = order?.customer;
  if (ofOrder && !isEmptyCustomer(ofOrder)) return { data: named(ofOrder), place: 'order.customer.' };
  return order?.customer_id ? { data: { id: order.customer_id }, place: 'order.customer_' } : undefined;
}

/** Treats an empty order as missing, because clients without a cart send it. */
function isEmpty(order: CheckoutBody['order']): boolean {
  return Object.values(order ?? {}).every((value) => value === undefined);
}

/** Parses a checkout. `browser` is present if a browser calls. Throws 400 `duplicated_redeemables` or `invalid_redeemables`. */
export function readAsked(
  body: Pick<CheckoutBody, 'customer' | 'order' | 'session' | 'tracking_id' | 'metadata' | 'redeemables'>,
  browser?: AskedByBrowser,
): Asked {
  const stack = stackOf(body.redeemables);
  const redeemables = body.redeemables.flatMap(({ object, id, gift, reward }): AskedRedeemable[] => {
    if (object === 'promotion_stack') return [];
    const { id: rewardId, assignment_id, points } = reward ?? {};
    const asked = {
      id: rewardId ?? undefined,
      assignment_id: assignment_id ?? undefined,
      points: points ?? undefined,
    };
    return [{ object, id, credits: gift?.credits ?? undefined, reward: reward ? asked : undefined }];
  });
  checkOnce(redeemables);
  return {
    ...(stack === undefined ? {} : { stack }),
    redeemables,
    customer: customerOf(body, browser?.customers),
    ...(browser ? { browser } : {}),
    order: isEmpty(body.order) ? undefined : (body.order ?? undefined),
    session: body.session ?? undefined,
    trackingId: body.tracking_id ?? undefined,
    metadata: body.metadata ?? undefined,
  };
}

/** Returns the expansions of the reply. By default each redeemable shows its order. */
export function readExpansions({ options }: Pick<CheckoutBody, 'options'>): ReadonlySet<string> {
  return new Set(options?.expand ?? ['order']);
}
