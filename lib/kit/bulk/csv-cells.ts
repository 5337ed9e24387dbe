import * as v from 'valibot';
import { detailsOf, ServiceError } from '../../core/errors.ts';
import { dateTime, nullable } from '../../core/schema.ts';
import { looseDateTime } from '../../http/page.ts';

/** Reads the cells of a file. A cell that has not the shape stays a text, which the schema of the row refuses. */

/** What is wrong with a file or a row of it. */
export function refused(...faults: string[]): ServiceError {
  return new ServiceError('invalid_payload', { details: detailsOf(faults) });
}

/** Amounts in a file are in major units, in the API in minor ones. */
export function minorUnits(cell: string, field: string): number {
  const [, major = '', minor = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(cell) ?? [];
  if (major === '') throw refused(`${field} must be in major units with up to 2 decimals, such as 12.50`);
  return Number(major + minor.padEnd(2, '0'));
}

/** Digits alone, as a number. */
export function wholeNumber(cell: string): unknown {
  return /^\d{1,15}$/.test(cell) ? Number(cell) : cell;
}

export function trueOrFalse(cell: string): unknown {
  const known: Readonly<Record<string, boolean>> = { true: true, false: false };
  return known[cell.toLowerCase()] ?? cell;
}

/** An object or a list as JSON, without a key that no object may have. */
export function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    return cell;
  }
}

/** Names with commas between them, or a list as exports write it. */
export function listOf(cell: string): unknown {
  if (cell.startsWith('[')) return parsed(cell);
  return cell
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Bare dates and times are UTC. */
export const importedDate = nullable(v.pipe(looseDateTime, dateTime));

/** When a thing that a row makes was created and last changed, as the project says from which it comes. */
export const importedAges = { created_at: importedDate, updated_at: importedDate };

type Ages = { readonly created_at?: string | null | undefined; readonly updated_at?: string | null | undefined };

/** Returns the dates of a thing that a row makes. 400 for a date that has not come yet. */
export function agesOf(row: Ages, now: Date): { created_at: string; updated_at?: string } {
  const latest = now.toISOString();
  for (const name of ['created_at', 'updated_at'] as const) {
    if ((row[name] ?? '') > latest) throw refused(`${name} must not be in the future, and ${row[name]} is`);
  }
  return { created_at: row.created_at ?? latest, ...(row.updated_at ? { updated_at: row.updated_at } : {}) };
}
