/** Lines of CSV as RFC 4180 has it. */

/**
 * Finds what spreadsheets take for a formula. Some read full-width signs like others, and look behind a line feed. A sign alone makes none:
 * telephone numbers and negative amounts stay as they are, for who imports the file again.
 */
const formula = /^(?:[=@\uff1d\uff20\t\r\n]|[+\-\uff0b\uff0d](?![\d\s().-]*$))/;

/** An apostrophe in front is how spreadsheets mark a text. A text that begins like a marked one gets another, so that reading takes one off. */
const apostrophes = /^'*/;

function isMarked(text: string): boolean {
  return formula.test(text.replace(apostrophes, ''));
}

/** Returns the text of a cell as it was before it was written. */
export function unmarked(cell: string): string {
  return cell.startsWith("'") && isMarked(cell) ? cell.slice(1) : cell;
}

/** Quoted where readers with other separators, or that trim, would take the cell for another one. */
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

/** What is not there is an empty cell, what has parts is JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}
