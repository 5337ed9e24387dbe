import type { ComponentChildren } from 'preact';
import { Empty } from '../components/bits.tsx';
import { Pages } from '../components/list-bars.tsx';
import { count, human, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { listColumns, type ReportColumn, type Row, subjectOf, sumColumns } from '../core/report.ts';
import { type Asked, type Made, type Report, readNames, rowsOfPage } from '../core/report-call.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { Picture, titleColumn } from './report-picture.tsx';
import { titleOf } from './reports.tsx';

const w = words.reports;

type Names = ReadonlyMap<string, string>;

const screensOf: Readonly<Record<string, string>> = {
  campaign_id: 'campaigns',
  campaign: 'campaigns',
  code: 'vouchers',
  customer: 'customers',
};

const kinds: Readonly<Record<string, string>> = words.kinds;

interface CellProps {
  readonly column: ReportColumn;
  readonly row: Row;
  readonly by: string;
  readonly names: Names;
}

/** Writes a value by its unit. Ids and codes lead to their screens. */
function writeCell({ column: { name, unit }, row, by, names }: CellProps): ComponentChildren {
  const value = row[name];
  if (unit === 'money') return money(typeof value === 'number' ? value : undefined);
  if (unit === 'count') return count(typeof value === 'number' ? value : undefined);
  if (unit === 'moment') return typeof value === 'number' ? time(new Date(value).toISOString()) : '–';
  if (typeof value !== 'string') return w.without;
  const what = name === 'group_key' ? by : name;
  const own = what === 'campaign' || what === 'campaign_id' ? row.name : undefined;
  const label = String(own ?? names.get(value) ?? kinds[value] ?? value);
  const screen = screensOf[what];
  if (screen)
    return (
      <a href={path(screen, value)} class={label.length < 32 ? 'whole' : undefined}>
        {label}
      </a>
    );
  return what === 'failure' || what === 'channel' ? human(label) : <span class="whole">{label}</span>;
}

function writeSum({ unit }: ReportColumn, sum: number | undefined): string {
  if (sum === undefined) return '';
  return unit === 'money' ? money(sum) : count(sum);
}

interface ResultProps {
  readonly report: Report;
  readonly asked: Asked;
  readonly made: Made;
  readonly page: number;
  readonly isStale: boolean;
}

/** Shows the rows of a report as a picture and as a table, with the addresses of its files. */
export function ReportResult({ report, asked, made, page, isStale }: ResultProps) {
  const { rows, range, files } = made;
  const by = String(asked.by ?? report.dimensions[0] ?? '');
  const named = useLoad(JSON.stringify([asked, page, rows.length]), () => readNames(rows, by));
  const names: Names = named.data ?? new Map();
  const title = titleOf(report.name);
  if (rows.length === 0) return <Empty title={w.empty[0]} hint={w.empty[1]} />;
  // The name of a campaign is the text of its link.
  const columns = listColumns(rows).filter(({ name }) => name !== 'name');
  // A customer may be in several segments, and each row counts the same redemptions.
  const isWhole = !made.hasMore && page === 1 && rows.length > 1 && report.name !== 'segments';
  const sums = isWhole ? sumColumns(rows) : undefined;
  const nameOf = (row: Row) => {
    const subject = subjectOf(row);
    // A code has the name of its campaign next to it.
    const own = row.code === undefined ? row.name : undefined;
    return String(own ?? names.get(subject ?? '') ?? kinds[subject ?? ''] ?? subject ?? w.without);
  };
  return (
    <>
      {range && <small>{w.covers(range.from, range.to, range.timezone)}</small>}
      {files && (
        <div class="actions">
          <b>{w.rows(count(files.count))}</b>
          <a href={files.csv}>{w.csv}</a>
          <a href={files.parquet}>{w.parquet}</a>
        </div>
      )}
      <Picture made={made} by={by} nameOf={nameOf} />
      {/* Many columns scroll, so the keyboard must reach them. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="wide" tabIndex={0} aria-label={title}>
        <table class={isStale ? 'list stale' : 'list'}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={column.unit === 'text' ? undefined : 'number'}>
                  {titleColumn(column, by)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {columns.map((column) => (
                  <td key={column.name} class={column.unit === 'text' ? undefined : 'number'}>
                    {writeCell({ column, row, by, names })}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {sums && (
            <tfoot>
              <tr>
                {columns.map((column, place) => (
                  <td key={column.name} class={column.unit === 'text' ? undefined : 'number'}>
                    {place === 0 ? w.sum : writeSum(column, sums.get(column.name))}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
      {!files && (
        <Pages
          asked={{
            limit: rowsOfPage,
            page,
            order: undefined,
            text: undefined,
            after: undefined,
            facet: () => undefined,
          }}
          shown={rows.length}
          total={undefined}
          hasMore={made.hasMore}
        />
      )}
    </>
  );
}
