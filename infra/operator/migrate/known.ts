import { findFileList } from '#addons/admin/project-file/lists.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { findUnknownFields } from '#kernel/http/unknown-fields.ts';
import type { Notes } from './notes.ts';
import type { Row } from './pages.ts';

/** Turns the replies of a service into entries of a project file. */

function withoutPath(value: unknown, [name = '', ...inner]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one, index) => (String(index) === name ? withoutPath(one, inner) : one));
  if (!isRecord(value)) return value;
  const { [name]: held, ...others } = value;
  return inner.length === 0 ? others : { ...others, [name]: withoutPath(held, inner) };
}

/** Sorts names, because services do not keep their order, so that equal projects make equal files. */
function sortNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortNames);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortNames(value[name])]));
}

/** Splits `voucher.units[2].name` into its names. */
function pathOf(place: string): string[] {
  return place.split(/[.[\]]+/).filter((name) => name !== '');
}

function at(value: unknown, [name, ...inner]: readonly string[]): unknown {
  return name === undefined ? value : at(Object(value)[name], inner);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(Object(value)).length === 0);
}

/** Returns the places of unknown fields, without suggesting similar names. */
function listUnknown(value: Row, schemas: Parameters<typeof findUnknownFields>[1]): string[] {
  return [...findUnknownFields(value, schemas, { nearest: () => undefined })].map(({ place }) => place);
}

/** Names an entry for the operator. */
export function nameEntry({ id, code, name }: Row): string {
  return String(code ?? id ?? name ?? '');
}

/**
 * Returns the entry without fields that only the service knows. Notes fields that replies of this service don't have either, because they
 * are lost. Returns nothing for an entry that the list refuses, and notes why.
 */
export function toEntry(list: string, said: Row, notes: Notes): Row | undefined {
  const { schema, shown, parse, fromReply } = findFileList(list);
  const named = fromReply(said);
  const value = isRecord(named) ? named : said;
  const unknown = listUnknown(value, [schema]);
  const lost = new Set(shown && unknown.length > 0 ? listUnknown(value, [schema, shown]) : []);
  let entry: unknown = value;
  for (const place of unknown) {
    entry = withoutPath(entry, pathOf(place));
    if (lost.has(place) && place !== 'object' && !isEmpty(at(value, pathOf(place)))) {
      notes.add(`${list}.${place.replaceAll(/\[\d+\]/g, '[]')} is unknown here, and was left out`, nameEntry(value));
    }
  }
  const { faults } = parse(entry, '');
  const inOrder = sortNames(entry);
  if (faults.length === 0 && isRecord(inOrder)) return inOrder;
  notes.add(`${list} cannot be taken because of${faults[0]?.replace(/^\.?/, ' ') ?? ''}`, nameEntry(value));
  return undefined;
}
