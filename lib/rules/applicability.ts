import { isRecord } from '../core/is-record.ts';
import { compileForLines, type LineTest } from './conditions.ts';
import type { RuleContext, RuleLine } from './context.ts';
import { isCollected, isProductIn, isSkuIn } from './lines.ts';
import { ruleNames } from './names.ts';
import { type ApplicableEntry, listRuleKeys, type RuleDocument, readRuleName } from './shape.ts';

/** Decides whether a discount applies to a line, and by which entry, which says how it applies. */
export type ApplicableBy<E> = (line: RuleLine, context: RuleContext) => { readonly entry?: E } | undefined;

function matcher({ object, id, source_id }: ApplicableEntry): (line: RuleLine) => boolean {
  const has = (name: string) => name === id || name === source_id;
  if (object === 'product') return (line) => isProductIn(line, has);
  return object === 'sku' ? (line) => isSkuIn(line, has) : (line) => isCollected(line, has);
}

/** Rules that limit a discount to products, as older documents did instead of `applicable_to`. */
function olderForm(rules: unknown): LineTest[] {
  if (!isRecord(rules)) return [];
  return listRuleKeys(rules).flatMap((key) => {
    const rule = rules[key];
    if (!isRecord(rule)) return [];
    const name = readRuleName(rule);
    const known = name.endsWith('.discount_applicable') ? ruleNames.get(name) : undefined;
    const inner = olderForm(rule.rules);
    if (!known || !isRecord(rule.conditions)) return inner;
    const read = known.ofLine?.(typeof rule.property === 'string' ? rule.property : '') ?? (() => undefined);
    return [compileForLines(known, read, rule.conditions).ofLine, ...inner];
  });
}

/** Applies to every line, like most rules. Thousands of rules share this function. */
const everyLine = () => ({});

/**
 * Compiles the lines that a discount applies to: every line without entries. An exclusion beats an inclusion, and an entry of a product or
 * SKU beats one of a collection.
 */
export function compileApplicability<E extends ApplicableEntry>(document: RuleDocument<E>): ApplicableBy<E> {
  const { included, excluded, included_all } = document.applicable_to ?? {};
  const isOut = (excluded ?? []).map(matcher);
  const isIn = (included ?? [])
    .toSorted(
      (one, other) => Number(one.object === 'products_collection') - Number(other.object === 'products_collection'),
    )
    .map((entry) => ({ entry, matches: matcher(entry) }));
  const older = isIn.length > 0 || included_all ? [] : olderForm(document.rules);
  if (isOut.length + isIn.length + older.length === 0) return everyLine;
  const takesAll = included_all === true || isIn.length + older.length === 0;
  return (line, context) => {
    if (isOut.some((matches) => matches(line))) return undefined;
    const found = isIn.find(({ matches }) => matches(line));
    if (found) return { entry: found.entry };
    return takesAll || older.some((matches) => matches(line, context)) ? {} : undefined;
  };
}
