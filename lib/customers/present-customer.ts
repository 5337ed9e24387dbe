import * as v from 'valibot';
import { dayOf } from '../calendar.ts';
import { balanceOn, type Programme, standingOf } from '../loyalty/card.ts';
import { dateTime, integer } from '../schema.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { type Customer, referredBefore } from './customer.ts';
import type { Context, FoundCustomer } from './find-customer.ts';

/** Figures of a project file may be incomplete: those that are missing count as 0. */
function numberAt(figures: unknown, ...path: string[]): number | undefined {
  let value: unknown = figures;
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return v.is(integer, value) ? value : undefined;
}

function sumOf(cards: readonly VoucherItem[], figure: (card: VoucherItem) => number): number {
  return cards.reduce((sum, card) => sum + figure(card), 0);
}

function summaryOf({ item, cards }: FoundCustomer, now: Date): Customer['summary'] {
  const redeemed = (name: string) => numberAt(item.summary, 'redemptions', name);
  const ordered = (name: string) => numberAt(item.summary, 'orders', name) ?? 0;
  const gifts = cards.filter(({ type }) => type === 'GIFT_VOUCHER');
  const loyaltyCards = cards.filter(({ type }) => type === 'LOYALTY_CARD');
  const redeemedQuantity = sumOf(cards, (card) => card.redeemed_quantity);
  const lastOrder = v.safeParse(v.object({ orders: v.object({ last_order_date: dateTime }) }), item.summary);
  return {
    redemptions: {
      total_redeemed: redeemed('total_redeemed') ?? redeemedQuantity,
      total_failed: redeemed('total_failed') ?? 0,
      total_succeeded: redeemed('total_succeeded') ?? redeemedQuantity,
      total_rolled_back: redeemed('total_rolled_back') ?? 0,
      total_rollback_failed: redeemed('total_rollback_failed') ?? 0,
      total_rollback_succeeded: redeemed('total_rollback_succeeded') ?? 0,
      gift: {
        redeemed_amount: sumOf(gifts, (card) => card.redeemed_amount),
        amount_to_go: sumOf(gifts, (card) => card.gift_balance ?? card.gift?.amount ?? 0),
      },
      loyalty_card: {
        redeemed_points: sumOf(loyaltyCards, (card) => card.redeemed_points),
        points_to_go: sumOf(loyaltyCards, (card) => balanceOn(dayOf(now), card)),
      },
    },
    orders: {
      total_amount: ordered('total_amount'),
      total_count: ordered('total_count'),
      average_amount: ordered('average_amount'),
      last_order_amount: ordered('last_order_amount'),
      ...(lastOrder.success ? lastOrder.output.orders : {}),
    },
  };
}

/** Points are what the cards hold today, also by campaign; the tier is that of the first card there. */
function loyaltyOf({ item, cards, programmes }: FoundCustomer, now: Date): Customer['loyalty'] {
  const today = dayOf(now);
  const loyaltyCards = cards.filter(({ type }) => type === 'LOYALTY_CARD');
  const points = (some: readonly VoucherItem[]) => sumOf(some, (card) => balanceOn(today, card));
  const tierId = (card: VoucherItem, programme: Programme | undefined) =>
    standingOf({ item: card, programme }, today).standing?.tier_id ?? null;
  const byCampaign = Map.groupBy(loyaltyCards, ({ campaign_id }) => campaign_id);
  return {
    points: points(loyaltyCards),
    referred_customers: (numberAt(item.loyalty, 'referred_customers') ?? 0) + item.referred_customers,
    campaigns: Object.fromEntries(
      [...byCampaign].flatMap(([id, held]) => {
        const [first] = held;
        return id && first ? [[id, { points: points(held), loyalty_tier: tierId(first, programmes.get(id)) }]] : [];
      }),
    ),
  };
}

function referralsOf({ item }: FoundCustomer): Customer['referrals'] {
  const before = referredBefore(item);
  return {
    total: (numberAt(item.referrals, 'total') ?? before.length) + item.referred_in.length,
    campaigns: [...before, ...item.referred_in],
  };
}

/** The customer as the interface shows it, with figures that are those of his cards today. */
export function presentCustomer(found: FoundCustomer, { now, baseUrl }: Pick<Context, 'now' | 'baseUrl'>): Customer {
  const { item } = found;
  return {
    object: 'customer',
    id: item.id,
    source_id: item.source_id ?? null,
    name: item.name ?? null,
    description: item.description ?? null,
    email: item.email ?? null,
    phone: item.phone ?? null,
    birthday: item.birthday ?? item.birthdate ?? null,
    birthdate: item.birthdate ?? item.birthday ?? null,
    address: item.address ?? null,
    metadata: item.metadata,
    system_metadata: item.system_metadata,
    created_at: item.created_at,
    updated_at: item.updated_at ?? null,
    // There is no page about customers but their own address.
    assets: { cockpit_url: `${baseUrl}/v1/customers/${encodeURIComponent(item.id)}` },
    summary: summaryOf(found, now),
    loyalty: loyaltyOf(found, now),
    referrals: referralsOf(found),
  };
}
