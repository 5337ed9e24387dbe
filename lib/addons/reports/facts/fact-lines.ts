import { type Fact, factTableNames } from './fact-tables.ts';

/** The columns of a line besides the columns of its table. No table has a column of these names. */
export const lineColumns = ['fact_table', 'project', 'day'] as const;

/** Writes a fact as a line of JSON. Lines of all tables share a file. A missing column reads as null. */
export function writeFactLine({ table, project, day, row }: Fact): string {
  const filled = Object.entries(row).filter(([, value]) => value !== null);
  return `${JSON.stringify({ fact_table: table, project, day, ...Object.fromEntries(filled) })}\n`;
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function readFactLine(line: string): Fact | undefined {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null) return undefined;
  const { fact_table, project, day, ...row }: Record<string, unknown> = { ...found };
  const table = factTableNames.find((name) => name === fact_table);
  if (table === undefined || typeof project !== 'string' || typeof day !== 'string') return undefined;
  const entries = Object.entries(row).flatMap(([name, value]) => (isPlain(value) ? [[name, value] as const] : []));
  return typeof row.fact_id === 'string' ? { table, project, day, row: Object.fromEntries(entries) } : undefined;
}

/** Reads the facts of lines, and counts lines that are none. A file that was cut off ends with half a line. */
export function readFactLines(text: string): { facts: Fact[]; malformed: number } {
  const lines = text.split('\n').filter((line) => line !== '');
  const facts = lines.flatMap((line) => readFactLine(line) ?? []);
  return { facts, malformed: lines.length - facts.length };
}
