/** Writes lines of CSV (RFC 4180). */

/**
 * Matches cells that spreadsheets read as a formula. Some also accept full-width signs, and look after a line feed. A
 * sign alone makes no formula: telephone numbers and negative amounts stay unchanged, so that the file can be imported
 * again.
 */
const formula = /^(?:[=@\uff1d\uff20\t\r\n]|[+\-\uff0b\uff0d](?![\d\s().-]*$))/;

/**
 * Marks a text with a leading apostrophe, as spreadsheets do. A text that looks marked gets an additional apostrophe,
 * so that reading removes only that mark.
 */
const apostrophes = /^'*/;

function isMarked(text: string): boolean {
  return formula.test(text.replace(apostrophes, ''));
}

/** Returns the original text of a written cell. */
export function unmarkCell(cell: string): string {
  return cell.startsWith("'") && isMarked(cell) ? cell.slice(1) : cell;
}

/** Matches cells that need quotes, also for readers that trim or use other separators. */
const mustBeQuoted = /[",;\t\r\n]|^\s|\s$/;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return isMarked(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function cellOf(value: unknown): string {
  const text = textOf(value);
  return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a line. An absent value is an empty cell, and an object is JSON. */
export function writeCsvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}
