import { addDays } from '../core/calendar.ts';
import { type Period, periodOf } from './periods.ts';
import { firstPoint, keptThrough, type Tier, type TierRules } from './tier-rules.ts';

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

/** The tier whose range holds the points; of ranges that overlap, the one that begins highest. */
export function tierFor(tiers: readonly Tier[], points: number): Tier | undefined {
  return tiers
    .filter((tier) => firstPoint(tier) <= points && points <= (tier.points.to ?? Number.POSITIVE_INFINITY))
    .sort((one, other) => firstPoint(other) - firstPoint(one))[0];
}

function moved(from: Tier | undefined, to: Tier | undefined): TierMove | undefined {
  if (from?.id === to?.id) return undefined;
  const named = (tier: Tier | undefined) => (tier ? { id: tier.id, name: tier.name } : null);
  const kind = !from ? 'joined' : !to ? 'left' : firstPoint(to) > firstPoint(from) ? 'upgraded' : 'downgraded';
  return { kind, from: named(from), to: named(to) };
}

/** What decides where a member is: the balance on any day since the last change of the card, and what was earned in a period. */
export interface Figures {
  readonly balanceOn: (day: string) => number;
  readonly earnedIn: (period: Period) => number;
}

const from = (tier: Tier | undefined) => (tier ? firstPoint(tier) : Number.NEGATIVE_INFINITY);

/** Periods before the one of today that can still keep a member: more than a year and the year before are not known. */
const mostPeriodsBefore = 24;

/**
 * The best tier that is held by what was earned in a period: in that of the day, where tiers begin at once, or in an earlier one whose tier
 * is kept that long. Of equal ones the one that is kept longest.
 */
function placeByPeriod({ tiers, expiration }: TierRules, earnedIn: Figures['earnedIn'], day: string): Standing | null {
  const name = expiration?.qualification_period;
  if (!name) return null;
  const isNext = expiration.start_date?.type === 'NEXT_PERIOD';
  let best: { tier: Tier; standing: Standing } | undefined;
  for (let before = isNext ? 1 : 0; before <= mostPeriodsBefore; before++) {
    const begun = periodOf(day, name, isNext ? before - 1 : before);
    const last = keptThrough(expiration, begun.first);
    if (last === null || last < day) break;
    const tier = tierFor(tiers, earnedIn(periodOf(day, name, before)));
    if (!tier || (best && from(tier) <= from(best.tier))) continue;
    const start = isNext && before === 1 ? begun.first : day;
    best = { tier, standing: { tier_id: tier.id, start_date: start, expiration_date: last } };
  }
  return best?.standing ?? null;
}

function place(rules: TierRules, figures: Figures, day: string): Standing | null {
  if (rules.expiration?.qualification_type === 'POINTS_IN_PERIOD') return placeByPeriod(rules, figures.earnedIn, day);
  const tier = tierFor(rules.tiers, figures.balanceOn(day));
  return tier ? { tier_id: tier.id, start_date: day, expiration_date: keptThrough(rules.expiration, day) } : null;
}

/** The day on which a tier begins by what is being earned, though nothing else happens to the card then. */
export function beginsOn({ expiration }: TierRules, earnedIn: Figures['earnedIn'], day: string): string | undefined {
  const name = expiration?.qualification_period;
  if (!name || expiration.start_date?.type !== 'NEXT_PERIOD') return undefined;
  const period = periodOf(day, name);
  return earnedIn(period) > 0 ? addDays(period.last, 1) : undefined;
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
 * begins anew.
 */
export function standingOn(
  today: string,
  rules: TierRules,
  before: Standing | null,
  figures: Figures,
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
  const rises = fitting !== undefined && firstPoint(fitting) > from(own);
  if (keeps ? rises : own?.id !== fitting?.id || own === undefined) moveTo(next);
  return { standing, moves };
}
