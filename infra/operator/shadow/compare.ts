import { isRecord } from '#kernel/core/is-record.ts';
import { type Difference, differencesOf } from '../migrate/differences.ts';

/** Compares two answers to the same request, and names the causes of their differences. */

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Caused extends Difference {
  readonly cause: string;
}

/** Fields that each service makes for itself. */
const ignoring = {
  names: new Set([
    ...['tracking_id', 'request_id', 'session', 'assets', 'created_at', 'updated_at', 'date', 'url'],
    ...['resource_id', 'customer_id', 'voucher_id', 'validation_rules_assignments', 'categories'],
  ]),
  paths: new Set(['id', 'order.id']),
};

const element = /^((?:\w+\.)*\w+\[[^\]]+\])/;

/** Returns the element of a list that the field is in, such as a redeemable. */
function elementAt(body: unknown, place: string): unknown {
  const [, list = '', name = ''] = /^(.*)\[([^\]]+)\]$/.exec(place) ?? [];
  const elements = list.split('.').reduce((value: unknown, field) => Object(value)[field], body);
  if (!Array.isArray(elements)) return undefined;
  return elements.find((one: unknown, index) => {
    const own = isRecord(one) ? [String(one.id), `${one.object} ${one.id}`] : [];
    return [...own, String(index)].includes(name);
  });
}

const fieldIn = (value: unknown, name: string) => (isRecord(value) ? value[name] : undefined);

/** Returns why a redeemable is not applied, in the service's own words. */
function refusalOf(value: unknown): string | undefined {
  const result = fieldIn(value, 'result');
  const error = [fieldIn(result, 'error'), fieldIn(result, 'details'), fieldIn(value, 'error'), value].find(isRecord);
  const [key = fieldIn(error, 'code'), message, details] = ['key', 'message', 'details'].map((name) =>
    fieldIn(error, name),
  );
  const said = [key, message, details].filter((part) => part !== undefined && part !== '');
  return key === undefined && message === undefined ? undefined : said.join(': ');
}

const short = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Returns the rule that decided about a redeemable, or its first figure that differs. */
function causeWithin(place: string, differences: readonly Difference[], one: unknown, other: unknown): string {
  const name = /\[([^\]]+)\]$/.exec(place)?.[1] ?? place;
  const [ours, theirs] = [elementAt(one, place), elementAt(other, place)];
  const refusals = [refusalOf(ours), refusalOf(theirs)];
  if (refusals[0] !== refusals[1]) return `${name}: ${refusals[0] ?? 'applies'} → ${refusals[1] ?? 'applies'}`;
  if (ours === undefined || theirs === undefined) return `${name}: ${ours ? 'is not offered' : 'is offered besides'}`;
  const inner = differences.map(({ field, ...values }) => ({ field: field.slice(place.length + 1), ...values }));
  const figure = inner.find(({ field }) => !field.startsWith('order')) ?? inner[0];
  return `${name}: ${figure?.field} ${short(figure?.one)} → ${short(figure?.other)}`;
}

/** A redeemable that is not applied is also listed separately. */
function placeOf(field: string): string {
  return element.exec(field)?.[1]?.replace(/^(?:inapplicable|skipped)_redeemables/, 'redeemables') ?? '';
}

/** Lines of the order follow from redeemables, as its figures do. */
function isOfOrder(place: string): boolean {
  return place === '' || place.startsWith('order.');
}

/**
 * Returns the differences with their causes. What differs in the order follows from the redeemables that differ, so it has their
 * causes.
 */
export function compareAnswers(one: Answer, other: Answer): Caused[] {
  if (one.status !== other.status) {
    const refusals = [refusalOf(one.body), refusalOf(other.body)].map((said) => said ?? 'no error');
    const cause = `status ${one.status} → ${other.status}: ${refusals.join(' → ')}`;
    return [{ field: 'status', one: one.status, other: other.status, cause }];
  }
  const differences = [...differencesOf(one.body, other.body, ignoring)];
  const groups = [...Map.groupBy(differences, ({ field }) => placeOf(field))];
  const causes = new Map(
    groups
      .filter(([place]) => !isOfOrder(place))
      .map(([place, some]) => [place, causeWithin(place, some, one.body, other.body)]),
  );
  const all = [...new Set(causes.values())].join(', ');
  return differences.map((difference) => {
    const own = causes.get(placeOf(difference.field)) ?? all;
    const itself = `${difference.field} ${short(difference.one)} → ${short(difference.other)}`;
    return { ...difference, cause: own === '' ? itself : own };
  });
}
