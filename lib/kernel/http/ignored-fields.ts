import { walkEntries } from '#kernel/core/walk-entries.ts';

/** Names fields and parameters without effect, so that a caller notices a slip without being refused. */

export const ignoredFieldsHeader = 'X-Ignored-Fields';

/** Limits the length of the header. A body can have far more names than a reader can use. */
const maxLength = 1_000;

/** Yields sent fields that are missing in the schema's output. A value that the schema passes on unchanged is the same object. */
function* ignoredIn(sent: unknown, taken: unknown, place = ''): Generator<string> {
  if (sent === taken || typeof sent !== 'object' || typeof taken !== 'object' || !sent || !taken) return;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(taken)) return;
  for (const [key, inner] of walkEntries(sent)) {
    // Names are percent-encoded, so that a header can hold any name, and a comma only separates names.
    const name = encodeURIComponent(key.toWellFormed());
    const at = isList ? `${place}[${name}]` : place ? `${place}.${name}` : name;
    if (Object.hasOwn(taken, key)) yield* ignoredIn(inner, Reflect.get(taken, key), at);
    else yield at;
  }
}

/** Returns the names of the fields of a body that its schema leaves out. */
export function findIgnoredFields(sent: unknown, taken: unknown): Iterable<string> {
  return ignoredIn(sent, taken);
}

/** Returns the names of parameters, as the header has them. */
export function encodeParams(names: readonly string[]): string[] {
  return names.map((name) => encodeURIComponent(name.toWellFormed()).replaceAll(/%5B|%5D/g, decodeURIComponent));
}

/** Yields names one at a time, because a body can have a million. */
function* chained(all: readonly Iterable<string>[]): Generator<string> {
  for (const names of all) yield* names;
}

/** Returns the header's value, which ends in `...` if it is cut. `undefined` means that nothing is ignored. */
export function writeIgnoredHeader(...ignored: readonly Iterable<string>[]): string | undefined {
  const named: string[] = [];
  let length = 0;
  for (const place of chained(ignored)) {
    length += place.length + 2;
    if (length > maxLength) return [...named, '...'].join(', ');
    named.push(place);
  }
  return named.length > 0 ? named.join(', ') : undefined;
}
