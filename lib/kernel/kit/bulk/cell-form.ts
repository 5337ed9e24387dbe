import { isCalendarDate } from '#kernel/core/date-time.ts';
import type { Separator } from './csv.ts';

/** Reads the forms in which spreadsheets of several countries write numbers, dates and truth. */

export interface CellForm {
  readonly separator: Separator;
  /** A time in the zone of the project, in which days begin and end. */
  readonly zone: Date;
  /** The decimals of the project's currency. */
  readonly decimals: number;
}

/** Returns whether decimals may begin with a comma: where no comma separates cells. */
function isLocal({ separator }: CellForm): boolean {
  return separator !== ',';
}

/** Returns a number's cell without blanks at its ends, and with a point before its decimals. */
export function readNumberCell(cell: string, form: CellForm): string {
  const trimmed = cell.trim();
  return isLocal(form) && /^[+-]?\d+,\d+\s*%?$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed;
}

/** English, German, French, Spanish, Italian, Polish, Dutch and Portuguese spreadsheets write these. */
const localWords = new Map([
  ...['true', 'wahr', 'vrai', 'verdadero', 'vero', 'prawda', 'waar', 'verdadeiro'].map((word) => [word, true] as const),
  ...['false', 'falsch', 'faux', 'falso', 'fałsz', 'onwaar'].map((word) => [word, false] as const),
]);

/** Returns `undefined` for a cell that is neither true nor false. */
export function readTruth(cell: string, form: CellForm): boolean | undefined {
  const word = cell.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  return isLocal(form) ? localWords.get(word) : undefined;
}

/** Matches a day, a month and a year with the same sign between them. */
const dayFirst = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * Returns a date as YYYY-MM-DD if the cell has the day first. Points always mean that. Other signs do if `;` separates
 * cells, because the spreadsheets that write the month first separate cells by commas or tabs.
 */
export function readLocalDay(cell: string, form: CellForm): string {
  const trimmed = cell.trim();
  const [, day = '', sign, month = '', year = ''] = dayFirst.exec(trimmed) ?? [];
  const isDayFirst = sign === '.' ? isLocal(form) : form.separator === ';';
  if (!isDayFirst || !isCalendarDate(Number(year), Number(month), Number(day))) return trimmed;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Matches a long number as spreadsheets shorten it, such as 9.99E+9. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{1,3}$/;

export function isShortened(cell: string): boolean {
  return shortened.test(cell.trim());
}
