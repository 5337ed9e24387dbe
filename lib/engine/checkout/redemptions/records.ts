import type { Lot } from '#engine/ledger/lots.ts';
import type { Caller } from '#kernel/http/context.ts';
import type { Addition } from '#kernel/table/addition.ts';
import type { CheckoutItem, ShownOrder } from '../engine/checkout.ts';
import { omitEmpty } from '../orders/line.ts';
import type { KeptOrder } from '../orders/redeemed-order.ts';
import { type OrderItem, toWholeOrder } from '../orders/resource.ts';
import type { Gathered } from '../request/gather.ts';
import { showName } from '../request/show-redeemable.ts';
import type { Received } from '../rewards/reward-effects.ts';
import type { Use } from './redeemable-use.ts';
import type { RedemptionItem } from './redemption.ts';

/** Makes the stored records of redemptions, and their orders. */

export interface About {
  readonly gathered: Gathered;
  readonly caller: Caller;
  readonly now: Date;
  readonly trackingId: string | undefined;
  readonly customerId: string | undefined;
}

/** Fields that all redemptions of a request share. */
function shared({ gathered, caller, now, trackingId, customerId }: About) {
  const { metadata, session } = gathered.asked;
  return {
    object: 'redemption' as const,
    date: now.toISOString(),
    ...(customerId === undefined ? {} : { customer_id: customerId }),
    ...(trackingId === undefined ? {} : { tracking_id: trackingId }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(session?.key ? { session_key: session.key } : {}),
    channel: { channel_id: caller.appId, channel_type: caller.automatic ? ('AUTO_REDEEM' as const) : ('API' as const) },
  };
}

/** Returns the redeemed object. */
function relation({ one }: Pick<Use, 'one'>) {
  const { voucher, tier } = one.target;
  const campaign = one.campaign ? { related_object_parent_id: one.campaign.id, campaign: one.campaign.name } : {};
  if (voucher) {
    return {
      related_object_type: 'voucher' as const,
      related_object_id: voucher.id,
      voucher_code: voucher.code,
      voucher_type: voucher.type,
      voucher_created_at: voucher.created_at,
      ...campaign,
    };
  }
  return {
    related_object_type: 'promotion_tier' as const,
    ...(tier ? { related_object_id: tier.id } : {}),
    ...campaign,
  };
}

const figures = [
  'amount',
  'initial_amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
  'applied_discount_amount',
  'items_applied_discount_amount',
  'total_applied_discount_amount',
  'excess_applied_discount_amount',
] as const;

type Figures = Pick<KeptOrder, (typeof figures)[number]>;

export function copyFigures(order: Figures): Figures {
  return Object.fromEntries(figures.flatMap((name) => (order[name] === undefined ? [] : [[name, order[name]]])));
}

/** The shares of the order's lines before and after the redemption (`lib/engine/checkout/discount-shares.ts`). */
type Shares = readonly [before: readonly number[] | undefined, after: readonly number[] | undefined];

/** Lines get the ids of stored lines. */
function linesOf(lines: readonly CheckoutItem[], stored: OrderItem, [before, after]: Shares): KeptOrder['items'] {
  return lines.map((line, index) => {
    const id = stored.items[index]?.id;
    const share = after?.[index] ?? 0;
    return {
      ...line,
      ...(id === undefined ? {} : { id }),
      ...omitEmpty({ order_discount_share: share || undefined }),
      ...omitEmpty({ applied_order_discount_share: share - (before?.[index] ?? 0) || undefined }),
    };
  });
}

function restOf(lines: readonly CheckoutItem[], [, after]: Shares) {
  return omitEmpty({ rest_discount_share: (lines.length > 0 ? after?.[lines.length] : undefined) || undefined });
}

/** Returns the order of one of several redemptions, with its own changes. */
export function keepSlimOrder(order: ShownOrder, stored: OrderItem | undefined, shares: Shares): KeptOrder | undefined {
  if (!stored) return undefined;
  const { id, source_id = null, metadata } = stored;
  const items = linesOf(order.items, stored, shares);
  return { id, source_id, ...copyFigures(order), ...restOf(order.items, shares), items, metadata, object: 'order' };
}

/** Returns the order after the whole request. */
export function keepFullOrder(order: ShownOrder, stored: OrderItem | undefined, shares: Shares): KeptOrder | undefined {
  if (!stored) return undefined;
  const shown = toWholeOrder(stored);
  const items = linesOf(order.items, stored, shares);
  return { ...shown, ...copyFigures(order), ...restOf(order.items, shares), items, object: 'order' };
}

/** Makes a record. `parentId` is present for one of several. */
export function buildRedemption(
  about: About,
  { id, one, outcome }: Use,
  {
    parentId,
    order,
    taken,
    lots,
    reward,
  }: {
    readonly parentId: string | undefined;
    readonly order: KeptOrder | undefined;
    readonly taken: readonly Addition[];
    /** The lots of spent points. */
    readonly lots: readonly Lot[] | undefined;
    readonly reward: Received | undefined;
  },
): RedemptionItem {
  const { gift, loyalty_card: card, isPaidBefore } = outcome.result;
  return {
    id,
    ...shared(about),
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    ...relation({ one }),
    ...(parentId === undefined ? {} : { redemption: parentId }),
    ...(order ? { order } : {}),
    ...(gift ? { amount: gift.credits, gift_credits: gift.credits } : {}),
    ...(card ? { amount: card.points, points: card.points } : {}),
    ...(isPaidBefore ? { result_key: 'paid_before' as const } : {}),
    ...(lots?.length ? { lots: [...lots] } : {}),
    taken: [...taken],
    ...(reward ? { reward: reward.shown, reward_given: reward.given } : {}),
  };
}

/** Makes the parent of several redemptions. */
export function buildParent(
  about: About,
  id: string,
  uses: readonly Use[],
  order: KeptOrder | undefined,
): RedemptionItem {
  return {
    id,
    ...shared(about),
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type: 'redemption',
    related_object_id: id,
    redemptions: uses.map((use) => use.id),
    ...(order ? { order } : {}),
  };
}

/** Makes the record of a refused attempt. */
export function buildFailed(
  about: About,
  id: string,
  failed: Pick<Use, 'one'> | undefined,
  { key, message }: { key: string; message: string },
): RedemptionItem {
  return {
    id,
    ...shared(about),
    result: 'FAILURE',
    status: 'FAILED',
    failure_code: key,
    failure_message: message,
    ...(failed ? relation(failed) : { related_object_type: 'redemption', related_object_id: id }),
  };
}

type Entry = Record<string, unknown>;

/** Returns the names of redemptions in the order. */
export function buildOrderEntry(
  date: string,
  uses: readonly Use[],
  parentId: string | undefined,
): Record<string, Entry> {
  const [first] = uses;
  if (parentId !== undefined) {
    const stacked = uses.map(({ id }) => id);
    return { [parentId]: { date, related_object_type: 'redemption', related_object_id: parentId, stacked } };
  }
  if (!first) return {};
  const { related_object_type, related_object_id, ...more } = relation(first);
  const parent = 'related_object_parent_id' in more ? { related_object_parent_id: more.related_object_parent_id } : {};
  return { [first.id]: { date, related_object_type, related_object_id, ...parent } };
}

/** Returns the redeemable as errors name it. */
export function nameRedeemable(one: Use['one']): { id: string; type: string } {
  const { id, object } = showName(one);
  return { id, type: object };
}
