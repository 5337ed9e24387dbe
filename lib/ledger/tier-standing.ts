import * as v from 'valibot';
import { addDays, addDuration, lastDayOfMonth, partsOf } from '../calendar.ts';
import { named } from '../documented.ts';
import { duration, object } from '../schema.ts';

/** How long a member is kept in a tier. */
export const loyaltyTiersExpiration = named(
  'LoyaltyTiersExpiration',
  object({
    qualification_type: v.picklist(['BALANCE']),
    start_date: v.optional(object({ type: v.picklist(['IMMEDIATE']) })),
    expiration_date: v.optional(
      object({
        type: v.picklist(['CUSTOM']),
        extend: v.optional(duration),
        rounding: v.optional(object({ type: v.picklist(['MONTH']), strategy: v.picklist(['END']) })),
      }),
    ),
  }),
);

/** What decides who is in a tier; a range without `to` is open. */
interface Tier {
  id: string;
  name: string;
  points: { from: number; to?: number | undefined };
}

/** In which tier a member is, since when, and through which day they are kept in it (`null`: as long as their balance is). */
export interface Standing {
  tier_id: string;
  start_date: string;
  expiration_date: string | null;
}

export interface TierMove {
  kind: 'joined' | 'upgraded' | 'downgraded' | 'left' | 'prolonged';
  from: { id: string; name: string } | null;
  to: { id: string; name: string } | null;
}

export interface TierRules {
  tiers: readonly Tier[];
  expiration: v.InferOutput<typeof loyaltyTiersExpiration> | undefined;
}

/** The tier whose range holds the points; of ranges that overlap, the one that begins highest. */
export function tierFor(tiers: readonly Tier[], points: number): Tier | undefined {
  return tiers
    .filter((tier) => tier.points.from <= points && points <= (tier.points.to ?? Number.POSITIVE_INFINITY))
    .sort((one, other) => other.points.from - one.points.from)[0];
}

/** The last day on which a tier that was reached on `day` is kept whatever the balance (BALANCE with CUSTOM). */
function keptThrough(expiration: TierRules['expiration'], day: string): string | null {
  const end = expiration?.expiration_date;
  if (end?.extend === undefined) return null;
  const exact = addDuration(day, end.extend);
  if (!end.rounding) return exact;
  const { year, month } = partsOf(exact);
  return lastDayOfMonth(year, month);
}

function moved(from: Tier | undefined, to: Tier | undefined): TierMove | undefined {
  if (from?.id === to?.id) return undefined;
  const named = (tier: Tier | undefined) => (tier ? { id: tier.id, name: tier.name } : null);
  const kind = !from ? 'joined' : !to ? 'left' : to.points.from > from.points.from ? 'upgraded' : 'downgraded';
  return { kind, from: named(from), to: named(to) };
}

function place(rules: TierRules, points: number, day: string): Standing | null {
  const tier = tierFor(rules.tiers, points);
  return tier ? { tier_id: tier.id, start_date: day, expiration_date: keptThrough(rules.expiration, day) } : null;
}

/**
 * The standing with the date that the rules give it now, counted from its start, or from today where that day has passed already:
 * nobody falls by it. Rules that keep nobody leave it as it is.
 */
export function withNewDate(standing: Standing, { expiration }: TierRules, today: string): Standing {
  const dates = [standing.start_date, today].flatMap((day) => keptThrough(expiration, day) ?? []);
  const date = dates.find((last) => last >= today);
  return date === undefined ? standing : { ...standing, expiration_date: date };
}

/**
 * The standing as it is on `today`, and the moves that led there: up at once; down only when the days for
 * which the tier is kept are over, and at once where the programme keeps none. A tier that still fits when its days are over
 * begins anew. `balanceOn`: the balance on any day since the last change of the card.
 */
export function standingOn(
  today: string,
  rules: TierRules,
  before: Standing | null,
  balanceOn: (day: string) => number,
): { standing: Standing | null; moves: TierMove[] } {
  const byId = (id: string | undefined) => rules.tiers.find((tier) => tier.id === id);
  const moves: TierMove[] = [];
  let standing = before;

  function moveTo(next: Standing | null): void {
    const move = moved(byId(standing?.tier_id), byId(next?.tier_id));
    if (move) moves.push(move);
    standing = next;
  }

  while (standing?.expiration_date && standing.expiration_date < today) {
    const day = addDays(standing.expiration_date, 1);
    const kept = byId(standing.tier_id);
    const next = place(rules, balanceOn(day), day);
    if (kept && kept.id === next?.tier_id) {
      const same = { id: kept.id, name: kept.name };
      moves.push({ kind: 'prolonged', from: same, to: same });
    }
    moveTo(next);
  }
  const next = place(rules, balanceOn(today), today);
  const own = byId(standing?.tier_id);
  const fitting = byId(next?.tier_id);
  const keeps = standing?.expiration_date && own !== undefined;
  const rises = fitting !== undefined && fitting.points.from > (own?.points.from ?? Number.NEGATIVE_INFINITY);
  if (keeps ? rises : own?.id !== fitting?.id || own === undefined) moveTo(next);
  return { standing, moves };
}
