import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import type { Reading } from '../context.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { CompiledRules } from '../rules/compiled.ts';
import { validationRule } from '../rules/resource.ts';
import type { RuleDocument } from '../rules/shape.ts';
import { read } from '../table/read.ts';
import { campaignIdOf, type Target } from './targets.ts';

/** The validation rules of a request's redeemables. */

export interface TargetRule {
  readonly id: string;
  readonly document: RuleDocument;
  readonly compiled: CompiledRule;
}

/** By their ids, of those that are there. */
export type TargetRules = ReadonlyMap<string, TargetRule>;

/** One compiler for each container. */
const compiler = new CompiledRules();

/** Compiled where somebody asks for it, once for each text of a document. */
export function targetRule(document: RuleDocument & { readonly id: string }): TargetRule {
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

/** What the container has last seen of rules: a good guess at what they need, never what is judged by. */
const seen = new WeakMap<object, Map<string, TargetRule>>();
const maxSeen = 5_000;

/** Its own rules come before those of its campaign: both must be met. */
export function ruleIdsOf(target: Target, campaigns: ReadonlyMap<string, CampaignTerms>): string[] {
  const { voucher, tier } = target;
  const campaign = campaigns.get(campaignIdOf(target) ?? '');
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

export function guessedRules(context: Reading, ids: Iterable<string>): TargetRule[] {
  const known = seenBy(context);
  return [...ids].flatMap((id) => known.get(`${context.project.id} ${id}`) ?? []);
}

/** In one call. One that is gone by now limits nothing: it took its assignments along. */
export async function readRules(context: Reading, ids: Iterable<string>): Promise<TargetRules> {
  const { table, project } = context;
  const wanted = [...new Set(ids)];
  const { found } = await read(table, { found: wanted.map((id) => validationRule.few(project.id, id)) });
  const rules = found.flatMap((document) => (document ? [targetRule(document)] : []));
  const known = seenBy(context);
  for (const rule of rules) {
    if (known.size >= maxSeen) known.clear();
    known.set(`${project.id} ${rule.id}`, rule);
  }
  return new Map(rules.map((rule) => [rule.id, rule]));
}
