import type { FilterPattern, FilterRule } from '#kernel/table/stream.ts';

function isLeaf(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

function follows(rule: FilterRule, value: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  return rule.exists ? isLeaf(value) : value === undefined;
}

function isRules(expected: FilterPattern | readonly FilterRule[]): expected is readonly FilterRule[] {
  return Array.isArray(expected);
}

function isChoice(pattern: FilterPattern): pattern is Extract<FilterPattern, { readonly $or: unknown }> {
  return '$or' in pattern;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/**
 * Returns whether Lambda would deliver the event to a function with this filter. Each name of the pattern must match
 * one of its rules. Lambda's `exists` needs a value, not an object with more inside. Only the rules of `FilterPattern`
 * are supported.
 */
export function matchesFilter(pattern: FilterPattern, event: unknown): boolean {
  if (isChoice(pattern)) return pattern.$or.some((one) => matchesFilter(one, event));
  return Object.entries(pattern).every(([name, expected]) => {
    const value = memberOf(event, name);
    return isRules(expected) ? expected.some((rule) => follows(rule, value)) : matchesFilter(expected, value);
  });
}
