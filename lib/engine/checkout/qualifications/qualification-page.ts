import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { defaultQualificationLimit, type QualificationBody, type SortingRule } from './body.ts';
import { buildFilterFields, type Candidate } from './candidate.ts';
import { compareAge, isBehind, isTogether, type PlacedCandidate, writeCursor } from './cursor.ts';
import { type Ground, type Qualified, readTakenOff } from './evaluate.ts';
import { evaluateAny } from './qualification.ts';

/** Selects the candidates of a page. */

export interface QualificationPage<T> {
  readonly shown: readonly T[];
  readonly hasMore: boolean;
  readonly next: string | undefined;
  /** True if the page ended at the limit of examined candidates, with fewer than requested. */
  readonly isCut: boolean;
}

export interface WantedQualifications {
  readonly limit: number;
  readonly sorting: SortingRule;
  readonly options: NonNullable<QualificationBody['options']>;
}

export function readWanted({ options }: QualificationBody): WantedQualifications {
  return {
    limit: options?.limit ?? defaultQualificationLimit,
    sorting: options?.sorting_rule ?? 'DEFAULT',
    options: options ?? {},
  };
}

/** Returns the candidates that match the caller's filter, each once, newest first. */
export function filterCandidates(
  candidates: readonly Candidate[],
  { options }: WantedQualifications,
  { categories, request: { now } }: Pick<Ground, 'categories' | 'request'>,
): Candidate[] {
  const matches = options.filters ? compileFilter(buildFilterFields(categories), options.filters) : () => true;
  const each = new Map(candidates.map((one) => [`${one.object} ${one.id}`, one]));
  return [...each.values()].filter((one) => matches(one, now)).sort(compareAge);
}

/**
 * Evaluates the newest candidates first, up to one more than the page shows. Evaluates more if no cursor fits after the
 * last candidate. All candidates up to `horizon` are known. Older candidates may be missing, so the page ends there at
 * the latest.
 */
export function pickNewest(
  sorted: readonly Candidate[],
  ground: Ground,
  { limit, options }: WantedQualifications,
  horizon: PlacedCandidate | undefined,
): QualificationPage<Qualified> {
  const { starting_after: from } = options;
  const found: Qualified[] = [];
  let more: Qualified | undefined;
  for (const candidate of sorted) {
    if (from && !isBehind(candidate, from)) continue;
    if (horizon && compareAge(candidate, horizon) > 0) break;
    const last = found.at(-1);
    const one = evaluateAny(candidate, ground);
    if (one) found.push(one);
    if (one && last && found.length > limit && !isTogether(last.candidate, candidate)) {
      more = found.pop();
      break;
    }
  }
  const [shown, last] = [found, found.at(-1)];
  if (!more && horizon) {
    return { shown, hasMore: true, next: writeCursor(horizon, horizon), isCut: shown.length < limit };
  }
  const next = last && more && writeCursor(last.candidate, more.candidate);
  return { shown, hasMore: more !== undefined, next, isCut: false };
}

/** Evaluates all candidates, because the best deal is only known then. Such a page has no next page. */
export function pickByDeal(
  sorted: readonly Candidate[],
  ground: Ground,
  { limit, sorting }: WantedQualifications,
): QualificationPage<Qualified> {
  const sign = sorting === 'BEST_DEAL' ? -1 : 1;
  const found = sorted.flatMap((candidate) => evaluateAny(candidate, ground) ?? []);
  // Ties stay sorted, newest first.
  const ordered = found.sort((one, other) => sign * (readTakenOff(one) - readTakenOff(other)));
  return { shown: ordered.slice(0, limit), hasMore: ordered.length > limit, next: undefined, isCut: false };
}
