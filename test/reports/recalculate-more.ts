import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { unpackItem } from '#kernel/table/image.ts';
import { itemsOf } from '../support/outbox.ts';
import type { Books } from './books.ts';
import { timezone } from './recalculate.ts';
import type { World } from './world.ts';

/** Calculates further reports plainly from the records of the table, without facts. */

// biome-ignore lint/suspicious/noExplicitAny: stored items of many kinds.
type Item = any;

const dayOf = (time: string) => formatDay(inTimezone(new Date(time), timezone));

async function readRedemptions({ id, dependencies }: World): Promise<Item[]> {
  const all: Item[] = await itemsOf(id, 'REDEMPTION', dependencies);
  return all.filter(({ sk, redemptions }) => sk === 'REDEMPTION' && !redemptions);
}

/** Returns the discount of each campaign on each day of a range by the books, with zeros. */
export function listDiscounts({ sales }: Books, days: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { at, isBack, uses } of sales) {
    const day = days.indexOf(dayOf(at));
    for (const { about, discount } of uses) {
      const campaign = about.related_object_parent_id ?? '';
      const own = found.get(campaign) ?? days.map(() => 0);
      own[day] = (own[day] ?? 0) + (isBack ? -discount : discount);
      found.set(campaign, own);
    }
  }
  return found;
}

/** Counts the existing cards by the tier of their last move in the stream. */
export async function countMembers({ id, dependencies, records }: World): Promise<Map<string, number>> {
  const tierOf = new Map<string, string | null>();
  for (const { eventName, dynamodb } of await records()) {
    const item: Item = unpackItem(dynamodb?.NewImage ?? {});
    const isOfCard = eventName === 'INSERT' && item.project === id && String(item.pk).includes('#VOUCHER#');
    if (isOfCard && item.kind === 'LEDGER') {
      for (const { kind, to } of item.moves ?? [])
        if (kind !== 'prolonged') tierOf.set(item.voucher_id, to?.id ?? null);
    }
    const move = String(item.type ?? '').match(/^customer\.loyalty\.tier\.(\w+)$/)?.[1];
    if (!isOfCard || item.kind !== 'ACTIVITY' || move === undefined || move === 'prolonged') continue;
    const { voucher, loyalty_tier, loyalty_tier_to } = item.data.data;
    tierOf.set(voucher.id, move === 'left' ? null : (loyalty_tier_to ?? loyalty_tier).id);
  }
  const cards: Item[] = (await itemsOf(id, 'VOUCHER', dependencies)).filter(({ sk }) => sk === 'VOUCHER');
  const members = new Map<string, number>();
  for (const { id: cardId, deleted_at } of cards) {
    const tier = deleted_at === undefined ? tierOf.get(cardId) : undefined;
    if (tier) members.set(tier, (members.get(tier) ?? 0) + 1);
  }
  return members;
}

export interface Burst {
  redemptions: number;
  failures: number;
  customers: number;
  busiest: number;
}

const tenMinutes = 600_000;

/** Counts the redemptions of each code, and those in its busiest ten minutes. */
export async function countBursts(world: World): Promise<Map<string, Burst>> {
  const byCode = Map.groupBy(
    (await readRedemptions(world)).filter(({ object, voucher_code }) => object === 'redemption' && voucher_code),
    ({ voucher_code }) => String(voucher_code),
  );
  return new Map(
    [...byCode].map(([code, all]) => {
      const done = all.filter(({ result }) => result === 'SUCCESS');
      const times = done.map(({ date }) => Date.parse(date));
      const near = times.map((from) => times.filter((at) => from <= at && at < from + tenMinutes).length);
      const customers = new Set(done.flatMap(({ customer_id }) => customer_id ?? [])).size;
      const counts = { redemptions: done.length, failures: all.length - done.length, customers };
      return [code, { ...counts, busiest: Math.max(0, ...near) }];
    }),
  );
}

/** Sums the points of existing cards by the month of their last day, and by programme. */
export async function sumExpiring({ id, dependencies }: World): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const card of (await itemsOf(id, 'VOUCHER', dependencies)) as Item[]) {
    if (card.sk !== 'VOUCHER' || card.deleted_at !== undefined) continue;
    for (const { points, expires } of card.lots ?? []) {
      const key = `${expires === null ? 'never' : expires.slice(0, 7)} ${card.campaign_id}`;
      if (points > 0) sums.set(key, (sums.get(key) ?? 0) + points);
    }
  }
  return sums;
}
