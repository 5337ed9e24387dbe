import { compileRule } from '#engine/rules/compile.ts';
import type { RuleContext, RuleLine } from '#engine/rules/context.ts';
import { ruleNames } from '#engine/rules/names.ts';

const now = new Date('2026-03-15T12:00:00Z');

export type Part = Omit<RuleContext, 'now'>;
export type Conditions = Record<string, unknown[]>;
export type Row = [name: string, property: string | null, conditions: Conditions, those: Part[], others: Part[]];

const line = (more: Partial<RuleLine> = {}): RuleLine => ({ quantity: 1, ...more });
export const cart = (...items: Partial<RuleLine>[]): Part => ({ order: { items: items.map(line) } });

export function verdictOf(rule: object, part: Part) {
  return compileRule({ rules: { '1': rule } }).judge({ now, ...part });
}

/** Returns the verdict of rules within a rule about items. */
export const namesWithin = [...ruleNames].filter(([, { within }]) => within).map(([name]) => name);
