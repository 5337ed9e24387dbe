import { ServiceError } from '../errors.ts';

/** CSV as RFC 4180 has it; lines may end in LF or CR alone, too. */

interface Line {
  /** Of the file, from 1, where it begins: a cell in quotes may go on over several. */
  readonly number: number;
  readonly cells: readonly string[];
}

function refused(line: number, column: number, fault: string): ServiceError {
  return new ServiceError('invalid_payload', { details: `line ${line}, column ${column} ${fault}` });
}

const cellEnd = /[",\r\n]/g;
const lineEnd = /\r\n|\r|\n/g;

/** Lines without those that are empty. 400 at the first quote that is not where it may be. */
export function* readCsv(text: string): Generator<Line> {
  let at = 0;
  let number = 1;
  while (at < text.length) {
    const cells: string[] = [];
    const begun = { at, number };
    for (let isMore = true; isMore; at += isMore ? 1 : 0) {
      const column = cells.length + 1;
      const { cell, end } = text[at] === '"' ? quoted(text, at, number, column) : plain(text, at);
      cells.push(cell);
      // Only a cell in quotes has line ends.
      if (text[at] === '"') number += cell.match(lineEnd)?.length ?? 0;
      at = end;
      isMore = text[at] === ',';
      if (!isMore && at < text.length && text[at] !== '\r' && text[at] !== '\n') {
        throw refused(
          number,
          column,
          'has a quote or text where none may be: a cell with quotes must be in quotes, each within doubled',
        );
      }
    }
    if (at > begun.at) yield { number: begun.number, cells };
    at += text.startsWith('\r\n', at) ? 2 : 1;
    number += 1;
  }
}

function plain(text: string, at: number): { cell: string; end: number } {
  cellEnd.lastIndex = at;
  const end = cellEnd.exec(text)?.index ?? text.length;
  return { cell: text.slice(at, end), end };
}

function quoted(text: string, at: number, line: number, column: number): { cell: string; end: number } {
  const parts: string[] = [];
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw refused(line, column, 'begins with a quote that is not closed');
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return { cell: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}
