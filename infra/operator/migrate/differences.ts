import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#kernel/core/is-record.ts';

/** Compares replies of two services by field. */

export interface Difference {
  /** `redeemables[voucher A].result.discount.percent_off` */
  readonly field: string;
  readonly one: unknown;
  readonly other: unknown;
}

export interface Ignoring {
  /** Names of fields that differ between services by nature. */
  readonly names: ReadonlySet<string>;
  /** Whole paths of such fields. */
  readonly paths?: ReadonlySet<string>;
}

/** Names an element of a list, so that equal elements are compared wherever they are. */
function nameOf(element: unknown): string | undefined {
  if (!isRecord(element) || typeof element.id !== 'string') return undefined;
  return typeof element.object === 'string' ? `${element.object} ${element.id}` : element.id;
}

function namedElements(list: readonly unknown[]): Map<string, unknown> | undefined {
  const names = list.map(nameOf);
  if (names.some((name) => name === undefined) || new Set(names).size < names.length) return undefined;
  return new Map(list.map((element, index) => [names[index] ?? '', element]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
}

function* ofLists(one: readonly unknown[], other: readonly unknown[], place: string, ignoring: Ignoring) {
  const [ours, theirs] = [namedElements(one), namedElements(other)];
  if (ours && theirs) {
    for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
      yield* differencesOf(ours.get(name), theirs.get(name), ignoring, `${place}[${name}]`);
    }
    return;
  }
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    yield* differencesOf(one[index], other[index], ignoring, `${place}[${index}]`);
  }
}

/** Yields the fields that differ. An absent field equals one that is empty. */
export function* differencesOf(
  one: unknown,
  other: unknown,
  ignoring: Ignoring,
  place = '',
): Generator<Difference, void, undefined> {
  if (isDeepStrictEqual(one, other) || (isEmpty(one) && isEmpty(other)) || ignoring.paths?.has(place)) return;
  if (Array.isArray(one) && Array.isArray(other)) yield* ofLists(one, other, place, ignoring);
  else if (isRecord(one) && isRecord(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (ignoring.names.has(name)) continue;
      yield* differencesOf(one[name], other[name], ignoring, place === '' ? name : `${place}.${name}`);
    }
  } else yield { field: place, one, other };
}
