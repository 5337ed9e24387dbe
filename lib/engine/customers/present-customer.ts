import * as v from 'valibot';
import { computeBalance, findStanding } from '#engine/ledger/card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { dateTime, integer } from '#kernel/core/schema.ts';
import { addUp, clampToSafe } from '#kernel/core/sum.ts';
import { type Customer, countEarlierReferred, readEarlierReferrals, showMetadata } from './customer.ts';
import { summariseOrders, summariseRedemptions } from './customer-figures.ts';
import type { Context, FoundCustomer } from './find-customer.ts';

/** Reads a figure of a project file, which may be incomplete. */
function readFigure(figures: unknown, ...path: string[]): number | undefined {
  let value: unknown = figures;
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return v.is(integer, value) ? value : undefined;
}

/** Adds the count to the figure that a file brought. Without such a figure, returns the sum of the cards, or the count if it is higher. */
function addCounted(before: number | undefined, counted: number | undefined, ofCards: () => number): number {
  return before === undefined ? Math.max(ofCards(), counted ?? 0) : clampToSafe(before + (counted ?? 0));
}

/** Sums redemptions and orders: figures of a project file and later counts. Without them, and for balances, the cards decide. */
function summarise({ item, cards }: FoundCustomer, now: Date): Customer['summary'] {
  const redeemed = (...names: string[]) => readFigure(item.summary, 'redemptions', ...names);
  const ordered = (name: string) => readFigure(item.summary, 'orders', name) ?? 0;
  const gifts = cards.filter(({ type }) => type === 'GIFT_VOUCHER');
  const loyaltyCards = cards.filter(({ type }) => type === 'LOYALTY_CARD');
  const lastOrder = v.safeParse(v.object({ orders: v.object({ last_order_date: dateTime }) }), item.summary);
  return {
    redemptions: {
      ...summariseRedemptions(redeemed, item, { ofCards: addUp(cards, (card) => card.redeemed_quantity) }),
      gift: {
        redeemed_amount: addCounted(redeemed('gift', 'redeemed_amount'), item.credits_redeemed, () =>
          addUp(gifts, (card) => card.redeemed_amount),
        ),
        amount_to_go: gifts.length
          ? addUp(gifts, (card) => card.gift_balance ?? card.gift?.amount ?? 0)
          : (redeemed('gift', 'amount_to_go') ?? 0),
      },
      loyalty_card: {
        redeemed_points: addCounted(redeemed('loyalty_card', 'redeemed_points'), item.points_redeemed, () =>
          addUp(loyaltyCards, (card) => card.redeemed_points),
        ),
        points_to_go: loyaltyCards.length
          ? addUp(loyaltyCards, (card) => computeBalance(formatDay(now), card))
          : (redeemed('loyalty_card', 'points_to_go') ?? 0),
      },
    },
    orders: summariseOrders(
      {
        total_amount: ordered('total_amount'),
        total_count: ordered('total_count'),
        average_amount: ordered('average_amount'),
        last_order_amount: ordered('last_order_amount'),
        ...(lastOrder.success ? lastOrder.output.orders : {}),
      },
      item.orders,
    ),
  };
}

/** Counts referred customers by the name of the campaign: earlier ones of a project file, and those counted since. */
function countReferredByName({ item, referringNames }: FoundCustomer): Map<string, number> {
  const referred = new Map(countEarlierReferred(item));
  for (const [id, customers] of Object.entries(item.referred_by_campaign ?? {})) {
    const name = referringNames.get(id) ?? id;
    referred.set(name, (referred.get(name) ?? 0) + customers);
  }
  return referred;
}

/** Sums the points of the cards today, in total and by campaign. The first card of a campaign decides the tier. */
function showLoyalty(found: FoundCustomer, now: Date): Customer['loyalty'] {
  const { item, cards, programmes } = found;
  const today = formatDay(now);
  const loyaltyCards = cards.filter(({ type }) => type === 'LOYALTY_CARD');
  const points = (some: readonly VoucherItem[]) => addUp(some, (card) => computeBalance(today, card));
  const findProgramme = ({ campaign_id }: VoucherItem) => programmes.get(campaign_id ?? '');
  const tierId = (card: VoucherItem) =>
    findStanding({ item: card, programme: findProgramme(card) }, today).standing?.tier_id;
  const referred = countReferredByName(found);
  const held = Map.groupBy(
    loyaltyCards.filter(({ campaign_id }) => campaign_id),
    (card) => findProgramme(card)?.campaign.name ?? card.campaign_id ?? '',
  );
  const sumCampaign = (name: string) => {
    const own = held.get(name) ?? [];
    const tier = own[0] && tierId(own[0]);
    return {
      points: points(own),
      referred_customers: referred.get(name) ?? 0,
      ...(tier === undefined ? {} : { loyalty_tier: tier }),
    };
  };
  return {
    points: points(loyaltyCards),
    referred_customers: (readFigure(item.loyalty, 'referred_customers') ?? 0) + item.referred_customers,
    campaigns: Object.fromEntries([...held.keys(), ...referred.keys()].map((name) => [name, sumCampaign(name)])),
  };
}

function showReferrals({ item }: FoundCustomer): Customer['referrals'] {
  const before = readEarlierReferrals(item);
  return {
    total: (readFigure(item.referrals, 'total') ?? before.length) + item.referred_in.length,
    campaigns: [...before, ...item.referred_in],
  };
}

/** Returns the customer as the interface shows it, with the figures of the cards today. */
export function presentCustomer(found: FoundCustomer, { now }: Pick<Context, 'now'>): Customer {
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
    ...showMetadata(item.metadata),
    system_metadata: item.system_metadata,
    created_at: item.created_at,
    ...(item.updated_at ? { updated_at: item.updated_at } : {}),
    summary: summarise(found, now),
    loyalty: showLoyalty(found, now),
    referrals: showReferrals(found),
  };
}

/** Adds the address of the customer in this API, which activities show in place of a page in a cockpit. */
export function presentCustomerOfActivity(found: FoundCustomer, context: Pick<Context, 'now' | 'baseUrl'>): Customer {
  const cockpit_url = `${context.baseUrl}/v1/customers/${encodeURIComponent(found.item.id)}`;
  return { ...presentCustomer(found, context), assets: { cockpit_url } };
}
