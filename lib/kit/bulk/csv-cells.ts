import * as v from 'valibot';
import { joinFaults, ServiceError } from '../../core/errors.ts';
import { dateTime, nullable } from '../../core/schema.ts';
import { looseDateTime } from '../../http/page.ts';

/** Parses the cells of a file. A cell with a fault stays a text, which the row's schema refuses. */

/** Returns the error for a file or a row. */
export function csvError(...faults: string[]): ServiceError {
  return new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

/** Parses an amount. Files have major units, and the API has minor ones. */
export function parseMinorUnits(cell: string, field: string): number {
  const [, major = '', minor = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(cell) ?? [];
  if (major === '') throw csvError(`${field} must be in major units with up to 2 decimals, such as 12.50`);
  return Number(major + minor.padEnd(2, '0'));
}

/** Parses digits alone as a number. */
export function parseWholeNumber(cell: string): unknown {
  return /^\d{1,15}$/.test(cell) ? Number(cell) : cell;
}

export function parseBoolean(cell: string): unknown {
  const known: Readonly<Record<string, boolean>> = { true: true, false: false };
  return known[cell.toLowerCase()] ?? cell;
}

/** Parses an object or a list as JSON, without forbidden keys. */
export function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    return cell;
  }
}

/** Parses names that are separated by commas, or a list as exports write it. */
export function parseList(cell: string): unknown {
  if (cell.startsWith('[')) return parseJson(cell);
  return cell
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Treats dates and times without an offset as UTC. */
export const importedDate = nullable(v.pipe(looseDateTime, dateTime));

/** The times of creation and change that a file from another project names. */
export const importedAges = { created_at: importedDate, updated_at: importedDate };

type Ages = { readonly created_at?: string | null | undefined; readonly updated_at?: string | null | undefined };

/** Returns the dates of a resource that a row makes. 400 for a date in the future. */
export function readAges(row: Ages, now: Date): { created_at: string; updated_at?: string } {
  const latest = now.toISOString();
  for (const name of ['created_at', 'updated_at'] as const) {
    if ((row[name] ?? '') > latest) throw csvError(`${name} must not be in the future, and ${row[name]} is`);
  }
  return { created_at: row.created_at ?? latest, ...(row.updated_at ? { updated_at: row.updated_at } : {}) };
}
