import * as v from 'valibot';
import { endDay, startDay } from '#kernel/core/day-bounds.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { dateTime, nullable } from '#kernel/core/schema.ts';
import { looseDateTime } from '#kernel/http/page.ts';
import { type CellForm, isShortened, readLocalDay, readNumberCell, readTruth } from './cell-form.ts';

/** Parses the cells of a file. A cell with a fault stays a text, which the row's schema refuses. */

/** Returns the error for a file or a row. */
export function csvError(...faults: string[]): ServiceError {
  return new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

/** Refuses a text that a spreadsheet treated as a number and shortened. Its last digits are lost. */
export function checkWhole(field: string, cell: string): void {
  if (!isShortened(cell)) return;
  throw csvError(
    `${field} is ${cell.trim()}, a long number that a spreadsheet has shortened: make the column text in the spreadsheet, and enter the value again`,
  );
}

/** Reads a cell of a field that is not a text. */
export type ReadCell = (cell: string, field: string, form: CellForm) => unknown;

/** An amount has at most this many digits, including the decimals. */
const amountDigits = 15;

const examples = ['1250', '12.5', '12.50', '1.250', '1.2500'];

/** Reads major units with a decimal point as minor units. Returns `undefined` for any other text. */
export function readMinorUnits(text: string, decimals: number): number | undefined {
  const [, major = '', minor = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (major === '' || minor.length > decimals || major.length > amountDigits - decimals) return undefined;
  return Number(major + minor.padEnd(decimals, '0'));
}

/** Parses an amount. Files have major units, and the API has minor units. */
export function parseMinorUnits(cell: string, field: string, form: CellForm): number {
  const { decimals } = form;
  const amount = readMinorUnits(readNumberCell(cell, form), decimals);
  if (amount !== undefined) return amount;
  const limit = decimals === 0 ? 'without decimals' : `with up to ${decimals} decimals`;
  throw csvError(`${field} must be in major units ${limit}, such as ${examples[decimals] ?? examples[0]}`);
}

/** Parses digits alone as a number. */
export function parseWholeNumber(cell: string): unknown {
  const digits = cell.trim();
  return /^\d{1,15}$/.test(digits) ? Number(digits) : cell;
}

/** Parses a percentage, with its sign or without. */
export function parsePercent(cell: string, _field: string, form: CellForm): unknown {
  const digits = readNumberCell(cell, form).replace(/\s*%$/, '');
  return /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
}

export function parseBoolean(cell: string, _field: string, form: CellForm): unknown {
  return readTruth(cell, form) ?? cell;
}

/** Parses a time from which a rule applies. A date begins with its first moment in the project's zone. */
export function parseStart(cell: string, _field: string, form: CellForm): string {
  return startDay(readLocalDay(cell, form), form.zone);
}

/** Parses a time until which a rule applies. A date ends with its last moment in the project's zone. */
export function parseEnd(cell: string, _field: string, form: CellForm): string {
  return endDay(readLocalDay(cell, form), form.zone);
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

/** Treats times without an offset as UTC. */
export const importedDate = nullable(v.pipe(looseDateTime, dateTime));

/** The times of creation and change that a file from another project names. */
export const importedAges = { created_at: importedDate, updated_at: importedDate };

export const ageCells = { created_at: parseStart, updated_at: parseStart };

type Ages = { readonly created_at?: string | null | undefined; readonly updated_at?: string | null | undefined };

/** Returns the dates of a resource that a row makes. 400 for a date in the future. */
export function readAges(row: Ages, now: Date): { created_at: string; updated_at?: string } {
  const latest = now.toISOString();
  for (const name of ['created_at', 'updated_at'] as const) {
    if ((row[name] ?? '') > latest) throw csvError(`${name} must not be in the future, and ${row[name]} is`);
  }
  return { created_at: row.created_at ?? latest, ...(row.updated_at ? { updated_at: row.updated_at } : {}) };
}
