import * as v from 'valibot';
import { lot } from '#engine/ledger/lots.ts';
import { dateTime } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Fact, makeFact } from './fact-tables.ts';
import type { FactSource } from './state-facts.ts';

const card = v.object({
  id: v.string(),
  campaign_id: v.nullish(v.string()),
  created_at: v.optional(dateTime),
  lots: v.optional(v.array(lot), []),
});

/** Returns the points of a loyalty card by their last day. Other vouchers and deleted cards have none. */
function sumByDay(item: Attributes | undefined): ReadonlyMap<string | null, number> {
  if (item?.type !== 'LOYALTY_CARD' || item.deleted_at !== undefined) return new Map();
  const sums = new Map<string | null, number>();
  for (const { points, expires } of v.parse(card, item).lots) sums.set(expires, (sums.get(expires) ?? 0) + points);
  return sums;
}

/** Returns the points of a card that expire on a day, for each day whose points have changed. */
export function findLotFacts({ project, before, after, version }: FactSource): Fact[] {
  const [old, now] = [sumByDay(before), sumByDay(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((day) => old.get(day) !== now.get(day));
  const item = now.size > 0 ? after : before;
  if (changed.length === 0 || item === undefined) return [];
  const { id, campaign_id = null, created_at } = v.parse(card, item);
  const at_ms = created_at === undefined ? 0 : Date.parse(created_at);
  return changed.map((day) => {
    const lot_id = `${id}.${day ?? 'never'}`;
    return makeFact('point_lots', project, {
      fact_id: `${lot_id}.${at_ms}.${version}`,
      version,
      at_ms,
      lot_id,
      card_id: id,
      campaign_id,
      expires_on: day,
      points: now.get(day) ?? 0,
    });
  });
}
