import { readCsv } from '#kernel/kit/bulk/csv.ts';

/** Saves CSV files as spreadsheets of several countries do, after they have read the cells as numbers, dates and truth. */

export interface Spreadsheet {
  readonly separator: ',' | ';' | '\t';
  readonly decimals: '.' | ',';
  /** Writes a date of the parts of YYYY-MM-DD. */
  readonly date: (year: string, month: string, day: string) => string;
  readonly truth: readonly [yes: string, no: string];
  readonly encode: (text: string) => Buffer;
  /** Empty columns and rows that it writes around the table. */
  readonly margin?: number;
}

const marked = (text: string) => Buffer.from(`\ufeff${text}`);

/** Characters of Windows-1252 that Latin-1 does not have. */
const high = new Map([
  ['€', 0x80],
  ['–', 0x96],
  ['œ', 0x9c],
]);

function toWindows1252(text: string): Buffer {
  return Buffer.concat([...text].map((sign) => Buffer.from([high.get(sign) ?? sign.charCodeAt(0)])));
}

export const spreadsheets = {
  English: {
    separator: ',',
    decimals: '.',
    date: (year, month, day) => `${year}-${month}-${day}`,
    truth: ['TRUE', 'FALSE'],
    encode: (text) => Buffer.from(text),
    margin: 2,
  },
  German: {
    separator: ';',
    decimals: ',',
    date: (year, month, day) => `${day}.${month}.${year}`,
    truth: ['WAHR', 'FALSCH'],
    encode: toWindows1252,
    margin: 1,
  },
  French: {
    separator: ';',
    decimals: ',',
    date: (year, month, day) => `${day}/${month}/${year}`,
    truth: ['VRAI', 'FAUX'],
    encode: marked,
  },
  Polish: {
    separator: ';',
    decimals: ',',
    date: (year, month, day) => `${day}.${month}.${year}`,
    truth: ['PRAWDA', 'FAŁSZ'],
    encode: (text) => marked(`sep=;\r\n${text}`),
  },
  Spanish: {
    separator: '\t',
    decimals: ',',
    date: (year, month, day) => `${day}.${month}.${year}`,
    truth: ['VERDADERO', 'FALSO'],
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    margin: 1,
  },
} as const satisfies Record<string, Spreadsheet>;

/** Numbers of more digits are shown, and saved, as 9.99E+11. */
const mostDigits = 11;

function shorten(digits: string, { decimals }: Spreadsheet): string {
  const [whole = '', fraction = ''] = Number(digits).toExponential(2).toUpperCase().split('.');
  return `${whole}${decimals}${fraction.replace(/E\+(\d)$/, 'E+0$1')}`;
}

function saveCell(cell: string, sheet: Spreadsheet): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(cell) ?? [];
  if (year && month && day) return sheet.date(year, month, day);
  if (/^(?:true|false)$/i.test(cell)) return sheet.truth[cell.toLowerCase() === 'true' ? 0 : 1];
  if (/^\d+$/.test(cell)) return cell.length > mostDigits ? shorten(cell, sheet) : String(Number(cell));
  if (/^-?\d+\.\d+$/.test(cell)) return String(Number(cell)).replace('.', sheet.decimals);
  return cell;
}

/** Returns the bytes of a file that was opened and saved. The person made the columns `texts` text, so that no cell changes there. */
export function saveBy(sheet: Spreadsheet, lines: readonly string[], texts: readonly string[] = []): Buffer {
  const [header = [], ...rows] = [...readCsv(lines.join('\r\n'))].map(({ cells }) => [...cells]);
  const saved = rows.map((cells) =>
    cells.map((cell, column) => (texts.includes(header[column] ?? '') ? cell : saveCell(cell, sheet))),
  );
  const margin = Array.from({ length: sheet.margin ?? 0 }, () => '');
  const empty = margin.map(() => [...header.map(() => ''), ...margin]);
  const table = [header, ...saved].map((cells) => [...cells, ...margin]);
  return sheet.encode([...table, ...empty].map((cells) => writeLine(cells, sheet)).join(''));
}

/** Writes a line with another separator. Marks of formulas are in the cells already. */
function writeLine(cells: readonly string[], { separator }: Spreadsheet): string {
  const quoted = cells.map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(separator)}\r\n`;
}

/** Returns a form with the file, as the gateway hands it over. */
export function formOf(file: Buffer) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')]).toString('base64'),
    isBase64Encoded: true,
  };
}
