import { addDays } from '#kernel/core/calendar.ts';
import { findKeptThrough, findPeriod, type Period, readFirstPoint, type Tier, type TierRules } from './tier-rules.ts';

/** The member's tier, its start, and the last day on which it is kept (`null` means that the balance decides). */
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

/**
 * Returns the tier whose range contains the points. Of overlapping ranges, the range with the highest beginning wins.
 */
export function findTierByPoints(tiers: readonly Tier[], points: number): Tier | undefined {
  return tiers
    .filter((tier) => readFirstPoint(tier) <= points && points <= (tier.points.to ?? Number.POSITIVE_INFINITY))
    .sort((one, other) => readFirstPoint(other) - readFirstPoint(one))[0];
}

function moved(from: Tier | undefined, to: Tier | undefined): TierMove | undefined {
  if (from?.id === to?.id) return undefined;
  const named = (tier: Tier | undefined) => (tier ? { id: tier.id, name: tier.name } : null);
  const kind = !from ? 'joined' : !to ? 'left' : readFirstPoint(to) > readFirstPoint(from) ? 'upgraded' : 'downgraded';
  return { kind, from: named(from), to: named(to) };
}

/** The figures that decide a tier: the balance on any day since the card's last change, and points earned in a period. */
export interface TierFigures {
  readonly balanceOn: (day: string) => number;
  readonly earnedIn: (period: Period) => number;
}

const from = (tier: Tier | undefined) => (tier ? readFirstPoint(tier) : Number.NEGATIVE_INFINITY);

/** Limits the earlier periods that can still keep a tier. Points before last year are unknown. */
const mostPeriodsBefore = 24;

/**
 * Returns the best tier by points of a period. It is the current period if tiers begin immediately, or an earlier
 * period whose tier is still kept. The tier that is kept longest wins among equals.
 */
function placeByPeriod(
  { tiers, expiration }: TierRules,
  earnedIn: TierFigures['earnedIn'],
  day: string,
): Standing | null {
  const name = expiration?.qualification_period;
  if (!name) return null;
  const isNext = expiration.start_date?.type === 'NEXT_PERIOD';
  let best: { tier: Tier; standing: Standing } | undefined;
  for (let before = isNext ? 1 : 0; before <= mostPeriodsBefore; before++) {
    const begun = findPeriod(day, name, isNext ? before - 1 : before);
    const last = findKeptThrough(expiration, begun.first);
    if (last === null || last < day) break;
    const tier = findTierByPoints(tiers, earnedIn(findPeriod(day, name, before)));
    if (!tier || (best && from(tier) <= from(best.tier))) continue;
    const start = isNext && before === 1 ? begun.first : day;
    best = { tier, standing: { tier_id: tier.id, start_date: start, expiration_date: last } };
  }
  return best?.standing ?? null;
}

function place(rules: TierRules, figures: TierFigures, day: string): Standing | null {
  if (rules.expiration?.qualification_type === 'POINTS_IN_PERIOD') return placeByPeriod(rules, figures.earnedIn, day);
  const tier = findTierByPoints(rules.tiers, figures.balanceOn(day));
  return tier ? { tier_id: tier.id, start_date: day, expiration_date: findKeptThrough(rules.expiration, day) } : null;
}

/** Returns the day on which an earned tier begins, even if nothing else happens to the card. */
export function findTierBegin(
  { expiration }: TierRules,
  earnedIn: TierFigures['earnedIn'],
  day: string,
): string | undefined {
  const name = expiration?.qualification_period;
  if (!name || expiration.start_date?.type !== 'NEXT_PERIOD') return undefined;
  const period = findPeriod(day, name);
  return earnedIn(period) > 0 ? addDays(period.last, 1) : undefined;
}

/**
 * Returns the standing with the date by the current rules, counted from its start, or from today if that day has passed. No member is
 * downgraded by it. Rules that keep no tier leave the date unchanged.
 */
export function updateStandingDate(standing: Standing, { expiration }: TierRules, today: string): Standing {
  const dates = [standing.start_date, today].flatMap((day) => findKeptThrough(expiration, day) ?? []);
  const date = dates.find((last) => last >= today);
  return date === undefined ? standing : { ...standing, expiration_date: date };
}

/**
 * Returns the standing on `today`, and the moves to it. Members move up immediately. They move down when the days of
 * the tier are over, or immediately if the programme keeps no tier. A tier that still fits then begins again.
 */
export function moveStanding(
  today: string,
  rules: TierRules,
  before: Standing | null,
  figures: TierFigures,
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
    const next = place(rules, figures, day);
    if (kept && kept.id === next?.tier_id) {
      const same = { id: kept.id, name: kept.name };
      moves.push({ kind: 'prolonged', from: same, to: same });
    }
    moveTo(next);
  }
  const next = place(rules, figures, today);
  const own = byId(standing?.tier_id);
  const fitting = byId(next?.tier_id);
  const keeps = standing?.expiration_date && own !== undefined;
  const rises = fitting !== undefined && readFirstPoint(fitting) > from(own);
  if (keeps ? rises : own?.id !== fitting?.id || own === undefined) moveTo(next);
  return { standing, moves };
}
