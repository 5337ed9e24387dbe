import { words } from '../words.ts';
import type { Schemas } from './api.ts';
import { startOfDayHere } from './days.ts';
import { date, human, minorUnits, money } from './format.ts';
import { isRecord, partOf } from './part.ts';

/** Filters of customers, in the form that users build and read. */

export type FieldType = 'text' | 'number' | 'amount' | 'date';

type Known = keyof Schemas['CreateSegmentRequestAutoUpdate']['filter'] | 'metadata';

/** Names the fields that the user can choose. A key of metadata is chosen by its name. */
const chosen = {
  'address.city': 'text',
  'address.country': 'text',
  email: 'text',
  'summary.orders.total_amount': 'amount',
  'summary.orders.total_count': 'number',
  'summary.redemptions.total_succeeded': 'number',
  'loyalty.points': 'number',
  created_at: 'date',
  metadata: 'text',
} as const satisfies { readonly [Name in Known]?: FieldType };

export const fields: Readonly<Record<string, FieldType>> = chosen;

export const operatorsOf: Readonly<Record<FieldType, readonly string[]>> = {
  text: ['$is', '$is_not', '$contains', '$starts_with', '$ends_with'],
  number: ['$more_than', '$less_than', '$is'],
  amount: ['$more_than', '$less_than'],
  date: ['$after', '$before'],
};

export interface Condition {
  readonly field: string;
  /** Is the key of the field `metadata`. */
  readonly key: string;
  readonly operator: string;
  readonly text: string;
}

export const firstCondition: Condition = { field: 'address.city', key: '', operator: '$is', text: '' };

export const typeOf = (field: string): FieldType => fields[field] ?? 'text';

function readValue({ field, text }: Condition): unknown {
  const type = typeOf(field);
  if (type === 'amount') return minorUnits(text);
  if (type === 'number') return Number(text);
  return type === 'date' ? startOfDayHere(text) : text.trim();
}

const isComplete = ({ field, key, text }: Condition) =>
  text.trim() !== '' && (field !== 'metadata' || key.trim() !== '');

/** Returns whether the list of customers accepts the filter. It accepts no figures. */
export const isListable = (filter: Filter) => Object.keys(filter).every((name) => !/^(?:summary|loyalty)\./.test(name));

export type Filter = Readonly<Record<string, unknown>>;

/** Builds the filter of the complete conditions. Conditions of one field hold together. */
export function toFilter(conditions: readonly Condition[], junction: string): Filter | undefined {
  const complete = conditions.filter(isComplete);
  if (complete.length === 0) return undefined;
  const named = Map.groupBy(complete, ({ field, key }) => (field === 'metadata' ? `metadata.${key.trim()}` : field));
  const parts = [...named].map(([name, members]) => {
    const own = members.map((one) => [one.operator, [readValue(one)]] as const);
    return [name, { conditions: Object.fromEntries(own) }] as const;
  });
  return { junction, ...Object.fromEntries(parts) };
}

function writeValue(name: string, value: unknown): string {
  const write = (one: unknown) => {
    if (typeOf(name) === 'amount') return money(Number(one));
    return typeOf(name) === 'date' ? date(String(one)) : String(one);
  };
  return [value].flat().map(write).join(', ');
}

function writeField(name: string): string {
  return words.segments.fields[name] ?? human(name.replace('metadata.', ''));
}

/** Describes a filter in words, a line for each condition. */
export function writeFilter(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([name, part]) => {
    const conditions = partOf(part, 'conditions');
    return Object.entries(isRecord(conditions) ? conditions : {}).map(([operator, value]) => {
      const verb = words.rules.operators[operator] ?? human(operator.replace('$', '')).toLowerCase();
      return `${writeField(name)} ${verb} ${writeValue(name, value)}`;
    });
  });
}
