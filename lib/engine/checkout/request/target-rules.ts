import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { type CompiledRule, CompiledRules } from '#engine/rules/compile.ts';
import { readDocuments } from '#engine/rules/resource.ts';
import type { RuleDocument } from '#engine/rules/shape.ts';
import type { Reading } from '#kernel/http/context.ts';
import { readCampaignId, type Target } from './targets.ts';

/** Reads the validation rules of a request's redeemables. */

export interface TargetRule {
  readonly id: string;
  readonly document: RuleDocument;
  readonly compiled: CompiledRule;
  /** True for a deleted rule. */
  readonly isDeleted?: true;
}

/** The existing rules by id. */
export type TargetRules = ReadonlyMap<string, TargetRule>;

/** The compiler of the container. */
const compiler = new CompiledRules();

/** Compiles a document at its first use, once for each text. */
export function compileTargetRule(document: RuleDocument & { readonly id: string }): TargetRule {
  let compiled: CompiledRule | undefined;
  return {
    id: document.id,
    document,
    get compiled() {
      compiled ??= compiler.of(document);
      return compiled;
    },
  };
}

const made = new WeakMap<object, TargetRule>();

/** Keeps the compiled rule as long as the container keeps its document. */
function madeOnce(document: RuleDocument & { readonly id: string }): TargetRule {
  const rule = made.get(document) ?? compileTargetRule(document);
  made.set(document, rule);
  return rule;
}

/** The rules that the container last saw. They help to guess needs, and never decide. */
const seen = new WeakMap<object, Map<string, TargetRule>>();
const maxSeen = 5_000;

/** Returns the own rules before the campaign's. All must be met. */
export function listRuleIds(target: Target, campaigns: ReadonlyMap<string, CampaignTerms>): string[] {
  const { voucher, tier } = target;
  const campaign = campaigns.get(readCampaignId(target) ?? '');
  const own = voucher ?? tier;
  if (!own) return [];
  const all = [...own.validation_rules_assignments, ...(campaign?.validation_rules_assignments ?? [])];
  return [...new Set(all.map(({ rule_id }) => rule_id))];
}

function seenBy({ table }: Reading): Map<string, TargetRule> {
  const own = seen.get(table.container) ?? new Map<string, TargetRule>();
  seen.set(table.container, own);
  return own;
}

export function guessRules(context: Reading, ids: Iterable<string>): TargetRule[] {
  const known = seenBy(context);
  return [...ids].flatMap((id) => known.get(`${context.project.id} ${id}`) ?? []);
}

/** Keeps one stand-in for each deleted rule, so that its compilation is shared. */
const standIns = new Map<string, TargetRule>();

/**
 * Replaces a deleted rule. It is never met, because a limit that is deleted by mistake must open nothing. The object can be used again when
 * the assignment is removed.
 */
function deletedRule(id: string): TargetRule {
  const known = standIns.get(id);
  if (known) return known;
  // No rule has this name, and an unknown rule is never met.
  const rules = { deleted: { name: 'validation_rule.deleted', conditions: {} } };
  const standIn = { id, document: { rules }, compiled: compiler.of({ rules }), isDeleted: true } as const;
  if (standIns.size >= maxSeen) standIns.clear();
  standIns.set(id, standIn);
  return standIn;
}

/** Returns the rules with the ids, and a stand-in for each deleted rule. */
export function selectRules(rules: TargetRules, ids: readonly string[]): TargetRule[] {
  return ids.map((id) => rules.get(id) ?? deletedRule(id));
}

/** Reads the existing rules in one call. */
export async function readRules(context: Reading, ids: Iterable<string>): Promise<TargetRules> {
  const { project } = context;
  const rules = (await readDocuments(context, [...new Set(ids)])).map(madeOnce);
  const known = seenBy(context);
  for (const rule of rules) {
    if (known.size >= maxSeen) known.clear();
    known.set(`${project.id} ${rule.id}`, rule);
  }
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** Returns the names of limits that other rules, or earlier rules, make a redeemable count. */
function namesKept({ voucher }: Target, campaign: CampaignTerms | undefined): string[] {
  return [...Object.keys(voucher?.counted_limits ?? {}), ...Object.keys(campaign?.counted_limits ?? {})];
}

/** Returns the names of limits for all redeemables of a request. */
export function namesKeptBy(targets: readonly Target[], campaigns: ReadonlyMap<string, CampaignTerms>): string[] {
  return targets.flatMap((one) => namesKept(one, campaigns.get(readCampaignId(one) ?? '')));
}

/** Returns the names of all limits that its redemption moves. */
export function namesMoved(
  target: Target,
  campaign: CampaignTerms | undefined,
  rules: readonly TargetRule[],
): ReadonlySet<string> {
  const ofRules = rules.flatMap(({ compiled }) => [...compiled.needs.counters]);
  return new Set([...ofRules, ...namesKept(target, campaign)]);
}
