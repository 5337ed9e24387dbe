/** Lines of CSV as RFC 4180 has it. */

/**
 * What spreadsheets take for a formula. A sign alone makes none: telephone numbers and negative amounts stay as they are, for who
 * imports the file again.
 */
const formula = /^(?:[=@\t\r]|[+-](?![\d\s().-]*$))/;

/** Quoted where readers with other separators, or that trim, would take the cell for another one. */
const mustBeQuoted = /[",;\t\r\n]|^\s|\s$/;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  // An apostrophe in front is how spreadsheets mark a text.
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value;
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
