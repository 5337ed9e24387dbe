import type { FilterPattern, FilterRule } from '#kernel/table/stream.ts';

type Expected = FilterPattern[keyof FilterPattern];

function follows(rule: FilterRule, value: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  return typeof value === 'string' && value.startsWith(rule.prefix);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function isRules(expected: Expected | readonly FilterRule[]): expected is readonly FilterRule[] {
  return Array.isArray(expected);
}

function matches(expected: Expected, value: unknown): boolean {
  return Object.entries(expected).every(([name, rules]) => {
    const found = memberOf(value, name);
    return isRules(rules) ? rules.some((rule) => follows(rule, found)) : matches(rules, found);
  });
}

/**
 * Returns whether Lambda would deliver the record to a function with this filter. Each name of the pattern must match one of its rules.
 * Only the rules of `FilterPattern` are supported.
 */
export function matchesFilter({ dynamodb }: FilterPattern, record: unknown): boolean {
  return matches(dynamodb, memberOf(record, 'dynamodb'));
}
