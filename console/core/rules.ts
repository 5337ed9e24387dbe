import { words } from '../words.ts';
import { human, money } from './format.ts';
import { isRecord, partOf } from './part.ts';

/** Turns rules of the API into sentences. */

interface RuleNode {
  readonly name?: string;
  readonly property?: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly rules?: RuleTree;
  readonly error?: { readonly message?: string };
}

export type RuleTree = Readonly<Record<string, RuleNode | string>>;

export interface Sentence {
  readonly subject: string;
  readonly operator: string;
  readonly wanted: string;
  readonly message: string | undefined;
  readonly inner: readonly Sentence[];
}

const isNode = (value: unknown): value is RuleNode => isRecord(value);

function writeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(writeValue).join(', ');
  if (!isRecord(value)) return String(value);
  const { name, id, source_id: sourceId } = value;
  return String(name ?? sourceId ?? id ?? JSON.stringify(value));
}

function writeSubject(name: string, property: string | undefined): string {
  const known = words.rules.names[name] ?? human(name).toLowerCase();
  return property === undefined ? known : `${known} “${property}”`;
}

/** Writes a value of a rule. Amounts of the API are in minor units. */
export function writeRuleValue(name: string, value: unknown): string {
  const isAmount = /amount|price/.test(name);
  return isAmount && [value].flat().every((one) => typeof one === 'number')
    ? [value]
        .flat()
        .map((one) => money(Number(one)))
        .join(', ')
    : writeValue(value);
}

function toSentence({ name = '', property, conditions = {}, rules, error }: RuleNode): Sentence {
  const [[operator, value] = ['', '']] = Object.entries(conditions);
  return {
    subject: writeSubject(name, property),
    operator: words.rules.operators[operator] ?? human(operator.replace('$', '')).toLowerCase(),
    wanted: writeRuleValue(name, value),
    message: error?.message,
    inner: rules ? toSentences(rules) : [],
  };
}

/** Turns the rules of a document into sentences. The API does not describe their language. */
export function toSentences(rules: unknown): Sentence[] {
  return isRecord(rules) ? Object.values(rules).filter(isNode).map(toSentence) : [];
}

/** Returns how the rules combine, such as `1 and 2`. */
export function writeLogic(rules: unknown): string | undefined {
  const logic = partOf(rules, 'logic');
  return typeof logic === 'string' && /\W/.test(logic) ? logic : undefined;
}

/** Finds a rule by its place in a trace, such as `rules.1.rules.2`. */
export function findRule(rules: unknown, place: string): Sentence | undefined {
  const node = place.split('.').reduce(partOf, { rules });
  return isNode(node) ? toSentence(node) : undefined;
}
