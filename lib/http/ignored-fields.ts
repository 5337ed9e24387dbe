import { eachOf } from '../core/each-of.ts';

/** Names the fields of a body and the parameters that have no effect, so that a caller learns of a slip without being refused. */

export const ignoredFieldsHeader = 'X-Ignored-Fields';

/** Length of the header; a body has room for far more names than anybody reads. */
const maxLength = 1_000;

/** Fields that were sent and are not in the schema's output. What a schema passes on unchanged is the same object. */
function* ignoredIn(sent: unknown, taken: unknown, place = ''): Generator<string> {
  if (sent === taken || typeof sent !== 'object' || typeof taken !== 'object' || !sent || !taken) return;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(taken)) return;
  for (const [key, inner] of eachOf(sent)) {
    // Percent-encoded, so that any name may stand in a header, and a comma only between two of them.
    const name = encodeURIComponent(key.toWellFormed());
    const at = isList ? `${place}[${name}]` : place ? `${place}.${name}` : name;
    if (Object.hasOwn(taken, key)) yield* ignoredIn(inner, Reflect.get(taken, key), at);
    else yield at;
  }
}

/** Returns the names of the fields of a body that its schema leaves out. */
export function ignoredFields(sent: unknown, taken: unknown): Iterable<string> {
  return ignoredIn(sent, taken);
}

/** Returns the names of parameters as the header has them. */
export function encodedParams(names: readonly string[]): string[] {
  return names.map((name) => encodeURIComponent(name.toWellFormed()).replaceAll(/%5B|%5D/g, decodeURIComponent));
}

/** One after the other, as far as somebody reads: a body has room for a million names. */
function* chained(all: readonly Iterable<string>[]): Generator<string> {
  for (const names of all) yield* names;
}

/** The header's value, ending in `...` where there are more than it has room for; `undefined` where nothing is ignored. */
export function ignoredHeader(...ignored: readonly Iterable<string>[]): string | undefined {
  const named: string[] = [];
  let length = 0;
  for (const place of chained(ignored)) {
    length += place.length + 2;
    if (length > maxLength) return [...named, '...'].join(', ');
    named.push(place);
  }
  return named.length > 0 ? named.join(', ') : undefined;
}
