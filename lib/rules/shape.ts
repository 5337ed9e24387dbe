/** Describes a stored rule document. It is checked when it is sent, and again when it is compiled. */

export interface Rule {
  readonly name: string;
  readonly property?: string | null;
  readonly conditions?: Readonly<Record<string, unknown>> | null;
  /** Inner rules, which must also hold for the lines that this rule has chosen. */
  readonly rules?: Rules | null;
  readonly error?: CustomError | null;
}

/** Rules by their keys. `logic` joins them, by default with `and`. */
export type Rules = Readonly<Record<string, unknown>>;

/** The shop's own message for people. */
export interface CustomError {
  readonly message: string;
}

/** The key of a set of rules that is no rule. */
export const logicKey = 'logic';

/** Limits the levels of nested rules. */
export const maxLevels = 3;

/** Limits the rules of all levels. It exceeds any use, and limits the evaluation of each request. */
export const maxRulesOfDocument = 100;

/** Returns the name of a rule. It is empty if an unchecked document has no text there. */
export function readRuleName({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : '';
}

/** Returns the own keys that are rules. */
export function listRuleKeys(rules: Rules): string[] {
  return Object.keys(rules).filter((key) => key !== logicKey);
}

/** The decisive parts of a document. Other parts have no effect. */
export interface RuleDocument<E extends ApplicableEntry = ApplicableEntry> {
  readonly rules?: Rules | null | undefined;
  readonly bundle_rules?: Readonly<Record<string, unknown>> | null | undefined;
  readonly error?: CustomError | null | undefined;
  readonly context_type?: string | undefined;
  readonly applicable_to?: ApplicableTo<E> | null | undefined;
}

/** The products of a discount, with how it applies to them. */
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
