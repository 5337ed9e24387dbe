import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { ApplicableEntry } from '#engine/rules/shape.ts';
import { inheritValidity } from '#engine/rules/validity/validity.ts';
import { chooseEffect } from '../engine/credit.ts';
import { listDiscounts, listUnitNames } from '../request/facts.ts';
import type { TargetRule } from '../request/target-rules.ts';
import type { Candidate } from './candidate.ts';
import { findCandidateRules } from './evaluate.ts';
import {
  type Compared,
  canCartMeet,
  canCustomerMeet,
  hasSome,
  type RuleRequirements,
  readRequirements,
} from './rule-requirements.ts';
import type { ScenarioPlan } from './scenario.ts';

/** A candidate with the facts that are checked before its evaluation. */
export interface PreparedCandidate {
  readonly candidate: Candidate;
  readonly rules: readonly TargetRule[];
  readonly necessary: readonly RuleRequirements[];
  /** The dates between which it can be used, by itself and its campaign. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Products, SKUs and collections of its discount and its rules. `undefined` means any line. */
  readonly names: ReadonlySet<string> | undefined;
}

interface About {
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly rules: ReadonlyMap<string, TargetRule>;
}

function idsOf(entries: readonly ApplicableEntry[] | null | undefined): string[] {
  return (entries ?? []).flatMap(({ id, source_id }) => [id, source_id].filter((name) => typeof name === 'string'));
}

const everyLine = { included: [], excluded: [], includes: () => ({}), excludes: () => undefined };

function namesFor({ target }: Candidate, rules: readonly TargetRule[], about: About): PreparedCandidate['names'] {
  const discounts = listDiscounts([target], about);
  const lists = rules.map(({ document }) => document.applicable_to ?? {});
  const isByExclusion = lists.some(({ excluded, included_all: all }) => (excluded?.length ?? 0) > 0 || all === true);
  const isByOlderForm = rules.some(({ document }) =>
    JSON.stringify(document.rules ?? {}).includes('discount_applicable'),
  );
  const included = lists.flatMap((list) => idsOf(list.included));
  const isForItems = discounts.some((discount) => chooseEffect(discount, everyLine).startsWith('APPLY_TO_ITEMS'));
  if (isByOlderForm || (isByExclusion && discounts.length > 0) || (isForItems && included.length === 0))
    return undefined;
  return new Set([
    ...included,
    ...listUnitNames(discounts),
    ...rules.flatMap((rule) => [...readRequirements(rule).named]),
  ]);
}

const later = (one: string | null, other = ''): string => (one !== null && one > other ? one : other);
const sooner = (one: string | null, other = ''): string =>
  one !== null && (other === '' || one < other) ? one : other;

interface Kept {
  readonly campaign: CampaignTerms;
  readonly made: PreparedCandidate;
}

/** Caches a candidate by its item. A changed item is another object. */
const kept = new WeakMap<object, Kept>();

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((rule, index) => rule === other[index]);
}

export function prepareCandidate(
  item: object,
  campaign: CampaignTerms,
  about: About,
  make: () => Candidate,
): PreparedCandidate {
  const known = kept.get(item);
  if (known?.campaign === campaign && isSame(known.made.rules, findCandidateRules(known.made.candidate, about)))
    return known.made;
  const candidate = make();
  const { tier, voucher } = candidate.target;
  const rules = findCandidateRules(candidate, about);
  const [own, its] = [inheritValidity(tier ?? voucher ?? {}, campaign), inheritValidity(campaign, undefined)];
  const made = {
    candidate,
    rules,
    necessary: rules.map(readRequirements),
    from: later(own.start_date, its.start_date ?? undefined) || undefined,
    to: sooner(own.expiration_date, its.expiration_date ?? undefined) || undefined,
    names: namesFor(candidate, rules, about),
  };
  kept.set(item, { campaign, made });
  return made;
}

/** Returns whether it may qualify. `time` is UTC with milliseconds, like stored dates. */
export function canQualify(
  one: PreparedCandidate,
  { asking, about, isLenient }: ScenarioPlan,
  compared: Compared,
  time: string,
): boolean {
  if ((one.from !== undefined && time < one.from) || (one.to !== undefined && one.to < time)) return false;
  if (asking !== 'none' && !one.necessary.every((rule) => canCustomerMeet(rule, compared))) return false;
  if (about !== undefined && one.names !== undefined && !hasSome(one.names, compared)) return false;
  return isLenient || one.necessary.every((rule) => canCartMeet(rule, compared));
}
