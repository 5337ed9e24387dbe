import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { unpackItem } from '#kernel/table/image.ts';
import { itemsOf } from '../support/outbox.ts';
import type { Books } from './books.ts';
import type { World } from './world.ts';

/** Calculates reports plainly from the ledgers and records of the table, without facts. */

// biome-ignore lint/suspicious/noExplicitAny: stored items of many kinds.
type Item = any;

type Figures = Record<string, number>;

/** Adds figures up under keys. */
class Sums {
  readonly all = new Map<string, Figures>();

  add(key: string, figures: Figures): void {
    const own = this.all.get(key) ?? {};
    for (const [name, by] of Object.entries(figures)) own[name] = (own[name] ?? 0) + by;
    this.all.set(key, own);
  }
}

export const timezone = 'Europe/Oslo';
const dayOf = (time: string | number) => formatDay(inTimezone(new Date(time), timezone));

export type GroupOf = (record: { at: string; item: Item }) => string;

export const groups: Readonly<Record<string, GroupOf>> = {
  day: ({ at }) => dayOf(at),
  campaign: ({ item }) => item.related_object_parent_id ?? '',
  code: ({ item }) => item.voucher_code ?? '',
  promotion_tier: ({ item }) => (item.related_object_type === 'promotion_tier' ? item.related_object_id : ''),
  voucher_type: ({ item }) => item.voucher_type ?? '',
  channel: ({ item }) => item.channel.channel_type,
  customer: ({ item }) => item.customer_id ?? '',
};

/** Sums the redemptions and rollbacks of the books. Failures are in no books, so their records are counted. */
export async function sumRedemptions(
  { id, dependencies }: World,
  { sales }: Books,
  groupOf: GroupOf,
): Promise<Map<string, Figures>> {
  const sums = new Sums();
  for (const { at, isBack, uses, order } of sales) {
    const sign = isBack ? -1 : 1;
    for (const { about, discount, credits, points } of uses) {
      sums.add(groupOf({ at, item: about }), {
        [isBack ? 'rollbacks' : 'redemptions']: 1,
        uses: sign,
        discount_minor: sign * discount,
        credits_minor: sign * credits,
        points: sign * points,
      });
    }
    if (!order) continue;
    // Each group counts the order of a sale once, as the customer paid it.
    for (const group of new Set(uses.map(({ about }) => groupOf({ at, item: about })))) {
      sums.add(group, {
        orders: sign,
        orders_amount_minor: sign * order.amount,
        orders_total_minor: sign * order.total,
      });
    }
  }
  const all: Item[] = await itemsOf(id, 'REDEMPTION', dependencies);
  for (const item of all.filter(({ sk, result }) => sk === 'REDEMPTION' && result === 'FAILURE')) {
    const name = item.object === 'redemption_rollback' ? 'failed_rollbacks' : 'failures';
    sums.add(groupOf({ at: item.date, item }), { [name]: 1 });
  }
  return sums.all;
}

const pointNames: Readonly<Record<string, [name: string, sign: number]>> = {
  POINTS_ACCRUAL: ['earned_points', 1],
  PENDING_POINTS_ACTIVATION: ['earned_points', 1],
  POINTS_REDEMPTION: ['spent_points', -1],
  POINTS_REFUND: ['refunded_points', 1],
  POINTS_EXPIRATION: ['expired_points', -1],
  POINTS_ADDITION: ['adjusted_points', 1],
  POINTS_REMOVAL: ['adjusted_points', 1],
  POINTS_TRANSFER_IN: ['transferred_in_points', 1],
  POINTS_TRANSFER_OUT: ['transferred_out_points', -1],
};

/** Adds the entries of all ledgers up by day and programme. The ledgers of deleted cards are in the stream only. */
export async function sumPoints({ id, dependencies, records }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  const stored: Item[] = await itemsOf(id, 'LEDGER#', dependencies);
  const written: Item[] = (await records())
    .filter(({ eventName, dynamodb }) => eventName === 'INSERT' && dynamodb?.NewImage?.kind?.S === 'LEDGER')
    .map(({ dynamodb }) => unpackItem(dynamodb?.NewImage ?? {}));
  for (const item of new Map([...written, ...stored].map((one) => [one.id, one])).values()) {
    const [name, sign] = pointNames[item.type] ?? [];
    if (name) sums.add(`${dayOf(item.created_at)} ${item.campaign_id}`, { [name]: Number(sign) * item.points });
  }
  return sums.all;
}

/** Returns the points that the existing cards of a programme hold. */
export async function countHeldPoints({ id, dependencies }: World, campaignId: string): Promise<number> {
  const cards: Item[] = (await itemsOf(id, 'VOUCHER', dependencies)).filter(({ sk }) => sk === 'VOUCHER');
  return cards
    .filter(({ campaign_id, deleted_at }) => campaign_id === campaignId && deleted_at === undefined)
    .flatMap(({ lots }) => lots ?? [])
    .reduce((sum: number, { points }: { points: number }) => sum + points, 0);
}

export async function sumOrders({ id, dependencies }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  for (const item of (await itemsOf(id, 'ORDER', dependencies)) as Item[]) {
    if (item.sk !== 'ORDER' || item.deleted_at) continue;
    const isPaid = Boolean(item.paid_at || ['PAID', 'FULFILLED'].includes(item.status)) && item.status !== 'CANCELED';
    const uses = Object.values(item.redemptions ?? {}).filter((one) => !(one as Item).rollback_id);
    const isPromoted = uses.length > 0 || (item.total_discount_amount ?? 0) > 0;
    const total = item.total_amount ?? 0;
    sums.add(dayOf(item.created_at), { orders: 1 });
    if (!isPaid) continue;
    sums.add(dayOf(item.created_at), {
      paid_orders: 1,
      paid_amount_minor: item.amount ?? 0,
      paid_discount_minor: item.total_discount_amount ?? 0,
      revenue_minor: total,
      ...(isPromoted
        ? { promoted_orders: 1, promoted_revenue_minor: total }
        : { other_orders: 1, other_revenue_minor: total }),
    });
  }
  return sums.all;
}

/** Counts the publications of each campaign, and the codes that were redeemed afterwards. */
export async function sumPublications({ id, dependencies }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  const uses = new Map<string, number>();
  for (const item of (await itemsOf(id, 'REDEMPTION', dependencies)) as Item[]) {
    if (item.result !== 'SUCCESS' || item.redemptions || item.related_object_type !== 'voucher') continue;
    const by = item.object === 'redemption' ? 1 : -1;
    uses.set(item.related_object_id, (uses.get(item.related_object_id) ?? 0) + by);
  }
  const codes = new Set<string>();
  for (const item of (await itemsOf(id, 'PUBLICATION', dependencies)) as Item[]) {
    if (item.sk !== 'PUBLICATION') continue;
    const campaign = item.campaign_id ?? '';
    if (item.result === 'FAILURE') sums.add(campaign, { failures: 1 });
    else
      for (const voucher of item.vouchers) {
        const key = `${campaign}\n${voucher.id}`;
        const isNew = !codes.has(key);
        codes.add(key);
        const isRedeemed = isNew && (uses.get(voucher.id) ?? 0) > 0;
        sums.add(campaign, { publications: 1, published_codes: isNew ? 1 : 0, redeemed_codes: isRedeemed ? 1 : 0 });
      }
  }
  return sums.all;
}

/** Counts the moves between tiers that activities of cards and customers tell. */
export async function sumMoves({ id, records }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  const written = (await records()).filter(({ eventName }) => eventName === 'INSERT');
  for (const record of written) {
    const item: Item = unpackItem(record.dynamodb?.NewImage ?? {});
    const isOfCard = item.project === id && String(item.pk).includes('#VOUCHER#');
    const told: Item[] = !isOfCard ? [] : item.kind === 'LEDGER' ? item.moves : item.kind === 'ACTIVITY' ? [item] : [];
    for (const one of told) {
      const kind = String(one.kind === 'ACTIVITY' ? one.type.split('.').at(-1) : one.kind);
      if (!['joined', 'upgraded', 'downgraded', 'left'].includes(kind)) continue;
      const { loyalty_tier, loyalty_tier_from, loyalty_tier_to } = one.data?.data ?? {};
      const from = one.from?.id ?? loyalty_tier_from?.id ?? (kind === 'left' ? loyalty_tier?.id : undefined);
      const to = one.to?.id ?? loyalty_tier_to?.id ?? (kind === 'left' ? undefined : loyalty_tier?.id);
      const day = dayOf(item.created_at);
      if (to) sums.add(`${day} ${to}`, { entered_members: 1 });
      if (from) sums.add(`${day} ${from}`, { left_members: 1 });
    }
  }
  return sums.all;
}

/** Sums pending points by day and programme, in the state that they have now or had when their card was deleted. */
export async function sumPending({ id, dependencies, records }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  const written: Item[] = (await records())
    .filter(({ dynamodb }) => dynamodb?.NewImage?.kind?.S === 'PENDING_POINTS')
    .map(({ dynamodb }) => unpackItem(dynamodb?.NewImage ?? {}));
  const stored: Item[] = await itemsOf(id, 'PENDING_POINTS#', dependencies);
  const existing = new Set(stored.map((item) => item.id));
  for (const item of new Map([...written, ...stored].map((one) => [one.id, one])).values()) {
    if (!item.created_at) continue;
    const isGone = item.state === 'PENDING' && !existing.has(item.id);
    const name = `${isGone ? 'canceled' : String(item.state).toLowerCase()}_points`;
    sums.add(`${dayOf(item.created_at)} ${item.campaign_id}`, { [name]: item.points });
  }
  return sums.all;
}

/** Counts customers that redeemed, by the months of joining and redeeming. */
export async function sumCohorts({ id, dependencies }: World): Promise<Map<string, Figures>> {
  const sums = new Sums();
  const customers: Item[] = (await itemsOf(id, 'CUSTOMER', dependencies)).filter(({ sk }) => sk === 'CUSTOMER');
  const redemptions: Item[] = await itemsOf(id, 'REDEMPTION', dependencies);
  const seen = new Set<string>();
  for (const { id: customerId, created_at, deleted_at } of customers) {
    if (deleted_at) continue;
    for (const item of redemptions) {
      if (item.customer_id !== customerId || item.result !== 'SUCCESS' || item.redemptions) continue;
      const key = `${dayOf(created_at).slice(0, 7)} ${dayOf(item.date).slice(0, 7)}`;
      const isRollback = item.object === 'redemption_rollback';
      const isFirst = !isRollback && !seen.has(`${key} ${customerId}`);
      if (isFirst) seen.add(`${key} ${customerId}`);
      sums.add(key, { uses: isRollback ? -1 : 1, active_customers: isFirst ? 1 : 0 });
    }
  }
  return sums.all;
}
