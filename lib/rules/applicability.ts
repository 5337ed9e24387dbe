import { compileConditions } from './conditions.ts';
import type { RuleContext, RuleLine } from './context.ts';
import { productNames, skuNames } from './lines.ts';
import { ruleNames } from './names.ts';
import { type ApplicableEntry, isRecord, type RuleDocument, ruleKeys } from './shape.ts';

/** Whether a discount is for a line; and if so, by which entry, which says how it is applied there. */
export type ApplicableBy<E> = (line: RuleLine, context: RuleContext) => { readonly entry?: E } | undefined;

function namesFor({ object }: ApplicableEntry): (line: RuleLine) => readonly string[] {
  if (object === 'product') return productNames;
  return object === 'sku' ? skuNames : ({ collections = [] }) => collections;
}

function matcher(entry: ApplicableEntry): (line: RuleLine) => boolean {
  const [names, ids] = [namesFor(entry), [entry.id, entry.source_id]];
  return (line) => names(line).some((name) => ids.includes(name));
}

/** Rules that say what a discount is for, as documents had it before `applicable_to`. */
function olderForm(rules: unknown): ((line: RuleLine, now: Date) => boolean)[] {
  if (!isRecord(rules)) return [];
  return ruleKeys(rules).flatMap((key) => {
    const rule = rules[key];
    if (!isRecord(rule)) return [];
    const name = String(rule.name);
    const { ofLine, type } = (name.endsWith('.discount_applicable') && ruleNames.get(name)) || {};
    const inner = olderForm(rule.rules);
    if (!ofLine || !type || !isRecord(rule.conditions)) return inner;
    const read = ofLine(typeof rule.property === 'string' ? rule.property : '');
    const test = compileConditions(type, rule.conditions);
    return [(line: RuleLine, now: Date) => test(read(line), now), ...inner];
  });
}

/**
 * Without entries a discount is for every line. What is excluded beats what is included, and an entry of a product or SKU one of
 * a collection.
 */
export function applicability<E extends ApplicableEntry>(document: RuleDocument<E>): ApplicableBy<E> {
  const { included, excluded, included_all } = document.applicable_to ?? {};
  const isOut = (excluded ?? []).map(matcher);
  const isIn = (included ?? [])
    .toSorted(
      (one, other) => Number(one.object === 'products_collection') - Number(other.object === 'products_collection'),
    )
    .map((entry) => ({ entry, matches: matcher(entry) }));
  const older = isIn.length > 0 || included_all ? [] : olderForm(document.rules);
  const takesAll = included_all === true || isIn.length + older.length === 0;
  return (line, { now }) => {
    if (isOut.some((matches) => matches(line))) return undefined;
    const found = isIn.find(({ matches }) => matches(line));
    if (found) return { entry: found.entry };
    return takesAll || older.some((matches) => matches(line, now)) ? {} : undefined;
  };
}
