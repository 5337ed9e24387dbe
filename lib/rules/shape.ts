/** A rule document as it is kept: checked when it comes in, and again by whoever compiles it. */

export interface Rule {
  readonly name: string;
  readonly property?: string | null;
  readonly conditions?: Readonly<Record<string, unknown>> | null;
  /** Within it: these hold too, for the lines that it has chosen. */
  readonly rules?: Rules | null;
  readonly error?: CustomError | null;
}

/** Rules by their keys, and under `logic` how they are joined; without it, all must hold. */
export type Rules = Readonly<Record<string, unknown>>;

/** What people are told in place of the service's words. */
export interface CustomError {
  readonly message: string;
}

/** The key of a set of rules that is no rule. */
export const logicKey = 'logic';

/** Levels of rules within rules. */
export const maxLevels = 3;

/** Of all levels. Far above any use; what is evaluated for each request is bounded by it. */
export const maxRules = 100;

/** Returns the name of a rule, and an empty one where a document that was not checked has no text there. */
export function nameOfRule({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : '';
}

/** Own keys that are rules. */
export function ruleKeys(rules: Rules): string[] {
  return Object.keys(rules).filter((key) => key !== logicKey);
}

/** The parts of a document that decide; whatever else it has does not. */
export interface RuleDocument<E extends ApplicableEntry = ApplicableEntry> {
  readonly rules?: Rules | null | undefined;
  readonly bundle_rules?: Readonly<Record<string, unknown>> | null | undefined;
  readonly error?: CustomError | null | undefined;
  readonly context_type?: string | undefined;
  readonly applicable_to?: ApplicableTo<E> | null | undefined;
}

/** What a discount is for, with how it is applied there. */
export interface ApplicableEntry {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id?: string | null | undefined;
  readonly source_id?: string | null | undefined;
}

export interface ApplicableTo<E extends ApplicableEntry> {
  readonly included?: readonly E[] | null | undefined;
  readonly excluded?: readonly E[] | null | undefined;
  readonly included_all?: boolean | null | undefined;
}
