/** Turns the rows of a report into columns and pictures. */

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Defines the format of a column. */
type Unit = 'text' | 'count' | 'money' | 'moment';

export interface ReportColumn {
  readonly name: string;
  readonly unit: Unit;
}

function unitOf(rows: readonly Row[], name: string): Unit {
  if (name.endsWith('_minor')) return 'money';
  if (name.endsWith('_ms')) return 'moment';
  return rows.some((row) => typeof row[name] === 'number') ? 'count' : 'text';
}

/** Lists the columns. Those without any value are left out. */
export function listColumns(rows: readonly Row[]): ReportColumn[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => row[name] !== null));
  return names.map((name) => ({ name, unit: unitOf(rows, name) }));
}

/** Returns the column whose values are days or months. */
export function findTimeColumn(rows: readonly Row[]): string | undefined {
  const isTime = (name: string) => rows.every((row) => /^\d{4}-\d{2}(-\d{2})?$/.test(String(row[name] ?? '2026-01')));
  return ['day', 'month', 'group_key'].find((name) => rows.some((row) => row[name]) && isTime(name));
}

/** Balances are not summed: the balance of a month is the balance of its last day. */
const balances: ReadonlySet<string> = new Set(['outstanding_points', 'members']);
/** Several rows include the same customers, so these figures have no sum either. */
const unsummed: ReadonlySet<string> = new Set([...balances, 'customers']);

/** Lists the figures that a chart can show without summing figures that have no sum. */
export function listFigures(rows: readonly Row[]): ReportColumn[] {
  const time = findTimeColumn(rows);
  const isOnce = time === undefined || new Set(rows.map((row) => row[time])).size === rows.length;
  return listColumns(rows).filter(
    ({ name, unit }) => (unit === 'count' || unit === 'money') && (isOnce || !unsummed.has(name)),
  );
}

/** Are figures of one row that say nothing about all rows together. */
const ofOneRow: ReadonlySet<string> = new Set([
  ...unsummed,
  ...['active_customers', 'existing_customers', 'left_days', 'forecast_error_minor'],
  ...['busiest_redemptions', 'busiest_from_ms'],
]);

/** Returns the sums under the columns. A redeemed order counts in the row of each of its campaigns, so only days sum orders. */
export function sumColumns(rows: readonly Row[]): ReadonlyMap<string, number> {
  const hasDays = findTimeColumn(rows) !== undefined;
  const summed = listColumns(rows).filter(
    ({ name, unit }) =>
      (unit === 'count' || unit === 'money') && !ofOneRow.has(name) && (hasDays || !name.startsWith('orders')),
  );
  return new Map(summed.map(({ name }) => [name, rows.reduce((sum, row) => sum + figureIn(row, name), 0)]));
}

export interface Point {
  readonly label: string;
  readonly value: number;
}

const figureIn = (row: Row, figure: string) => Number(row[figure] ?? 0);

const mostDays = 92;

function* stepsBetween(first: string, last: string): Generator<string> {
  const isMonth = first.length === 7;
  for (const at = new Date(first); ; ) {
    const step = at.toISOString().slice(0, first.length);
    if (step > last) return;
    yield step;
    if (isMonth) at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + 1);
  }
}

interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns a figure by days, or by months if there are many days. Days without a row are between. */
export function drawTime(rows: readonly Row[], figure: string, { from, to }: Range = {}): Point[] {
  const column = findTimeColumn(rows) ?? '';
  const known = rows.flatMap((row) => (row[column] ? { at: String(row[column]), value: figureIn(row, figure) } : []));
  const days = known.map(({ at }) => at).sort();
  const isBalance = balances.has(figure);
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const isMonths = first.length === 7 || Date.parse(to ?? last) - Date.parse(from ?? first) > mostDays * 86_400_000;
  const length = isMonths ? 7 : 10;
  const steps = Map.groupBy(known, ({ at }) => at.slice(0, length));
  // A balance is unknown before its first row.
  const begin = (isBalance ? first : (from ?? first)).slice(0, length);
  let before = 0;
  return [...stepsBetween(begin, (to ?? last).slice(0, length))].map((label) => {
    const own = steps.get(label) ?? [];
    const sum = own.reduce((all, { value }) => all + value, 0);
    const value = isBalance ? (own.at(-1)?.value ?? before) : sum;
    before = value;
    return { label, value };
  });
}

const mostNames = 12;

/** Returns the rows with the greatest figures. */
export function drawNames(rows: readonly Row[], figure: string, nameOf: (row: Row) => string): Point[] {
  return rows
    .map((row) => ({ label: nameOf(row), value: figureIn(row, figure) }))
    .sort((one, other) => other.value - one.value)
    .slice(0, mostNames);
}

/** Returns the subject of a row: an id, a code or a word. */
export function subjectOf(row: Row): string | undefined {
  const name = ['group_key', 'code', 'campaign_id'].find((one) => Object.hasOwn(row, one));
  const value = row[name ?? ''];
  return typeof value === 'string' ? value : undefined;
}
