import { ServiceError } from '#kernel/core/errors.ts';

/** Reads CSV as RFC 4180 defines it. A line may also end in LF or CR alone, and `;` or tabs may separate cells. */

export interface CsvLine {
  /** Counts lines of the file from 1. A quoted cell may span several. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Reading stops at the first line with more cells, because four megabytes of commas would need 200 MB as cells. */
export const maxColumns = 500;

export const separators = [',', ';', '\t'] as const;

export type Separator = (typeof separators)[number];

function refused(line: number, column: number, fault: string): ServiceError {
  return new ServiceError('invalid_payload', { details: `line ${line}, column ${column} ${fault}` });
}

const cellEnds = { ',': /[",\r\n]/g, ';': /[";\r\n]/g, '\t': /["\t\r\n]/g } as const satisfies Record<
  Separator,
  RegExp
>;
const lineEnd = /\r\n|\r|\n/g;

const headerSigns = /"[^"]*(?:"|$)|[,;\t]|[\r\n]+/g;

/** A first line that names the separator, as some spreadsheets read and write it. */
const separatorLine = /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i;

export interface Beginning {
  readonly separator: Separator;
  /** The place after a line that names the separator, or the beginning. */
  readonly place: TextPlace;
}

function isSeparator(sign: string | undefined): sign is Separator {
  return separators.some((one) => one === sign);
}

/**
 * Finds the separator. Spreadsheets write `;` if decimals begin with a comma. The first line names it, or the first
 * line that is not empty decides, outside its quotes. The search ends with that line, or after more signs than columns
 * could need.
 */
export function findBeginning(text: string): Beginning {
  const [line = '', named] = separatorLine.exec(text) ?? [];
  if (isSeparator(named)) return { separator: named, place: { at: line.length, number: 2 } };
  const found: Record<Separator, number> = { ',': 0, ';': 0, '\t': 0 };
  let signs = 0;
  for (const { 0: sign, index } of text.matchAll(headerSigns)) {
    if (isSeparator(sign)) {
      found[sign] += 1;
      signs += 1;
    } else if (!sign.startsWith('"') && index > 0) break;
    if (signs > 2 * maxColumns) break;
  }
  const separator = separators.reduce((most, one) => (found[one] > found[most] ? one : most));
  return { separator, place: { at: 0, number: 1 } };
}

/** Returns whether the text has a whole line that is not empty, so that its separators can be counted. */
export function hasHeader(text: string): boolean {
  const rest = text.replace(separatorLine, '');
  return /[^\r\n][\r\n]/.test(rest.replaceAll(/"[^"]*(?:"|$)/g, 'x'));
}

/** Returns whether a line has nothing but empty cells, as spreadsheets write below the last row. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

export interface TextPlace {
  readonly at: number;
  readonly number: number;
}

/** A line, and the place where the next line begins. */
interface Found extends CsvLine {
  readonly next: TextPlace;
}

/** Reads the line at a place. Returns `undefined` if the line may continue beyond the text. Throws a 400 at the first misplaced quote. */
export function readLineAt(
  text: string,
  { at: begin, number: first }: TextPlace,
  { separator, isWhole }: { separator: Separator; isWhole: boolean },
): Found | undefined {
  const cells: string[] = [];
  let at = begin;
  let number = first;
  for (let isMore = true; isMore; at += isMore ? 1 : 0) {
    const column = cells.length + 1;
    if (column > maxColumns)
      throw new ServiceError('invalid_payload', { details: `line ${number} must have at most ${maxColumns} columns` });
    const isQuoted = text[at] === '"';
    const read = isQuoted ? quoted(text, at) : plain(text, at, separator);
    if (!read) {
      if (!isWhole) return undefined;
      throw refused(number, column, 'begins with a quote that is not closed');
    }
    cells.push(read.cell);
    // Only a quoted cell contains line ends.
    if (isQuoted) number += read.cell.match(lineEnd)?.length ?? 0;
    at = read.end;
    isMore = text[at] === separator;
    if (!isMore && at < text.length && text[at] !== '\r' && text[at] !== '\n') {
      throw refused(
        number,
        column,
        'has a misplaced quote or text: a cell with quotes must be in quotes, with each inner quote doubled',
      );
    }
  }
  // A CR at the end of a piece may be half of a CRLF, and a quote may be half of two.
  if (!isWhole && at >= text.length - 1) return undefined;
  const isEmpty = at === begin;
  const next = { at: at + (text.startsWith('\r\n', at) ? 2 : 1), number: number + 1 };
  return { number: first, cells: isEmpty ? [] : cells, next };
}

/** Yields the lines of a text without empty lines. */
export function* readCsv(text: string): Generator<CsvLine> {
  const beginning = findBeginning(text);
  const options = { separator: beginning.separator, isWhole: true };
  let { place } = beginning;
  while (place.at < text.length) {
    const line = readLineAt(text, place, options);
    if (!line) return;
    if (line.cells.length > 0) yield line;
    place = line.next;
  }
}

interface Cell {
  readonly cell: string;
  readonly end: number;
}

function plain(text: string, at: number, separator: Separator): Cell {
  const ends = cellEnds[separator];
  ends.lastIndex = at;
  const end = ends.exec(text)?.index ?? text.length;
  return { cell: text.slice(at, end), end };
}

function quoted(text: string, at: number): Cell | undefined {
  const parts: string[] = [];
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return { cell: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}
