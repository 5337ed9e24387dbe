import { Panel } from '../components/bits.tsx';
import { Bars, Ranking } from '../components/chart.tsx';
import { count, human, money } from '../core/format.ts';
import { drawNames, drawTime, findTimeColumn, listFigures, type ReportColumn, type Row } from '../core/report.ts';
import type { Made } from '../core/report-call.ts';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.reports;

/** Titles a column. The first column of a report with dimensions is called like the dimension. */
export function titleColumn({ name }: ReportColumn, by: string): string {
  if (name === 'group_key') return human(by);
  return w.columns[name] ?? human(name.replace(/_(minor|ms)$/, ''));
}

const usual = ['uses', 'revenue_minor', 'discount_minor', 'outstanding_points', 'earned_points', 'members'];

/** Returns the figure that the address names, else the most informative figure of the report. */
function findFigure(figures: readonly ReportColumn[]): ReportColumn | undefined {
  const find = (wanted: string | null | undefined) => figures.find(({ name }) => name === wanted);
  const ordered = query.value.get('order')?.replace('-', '');
  return find(query.value.get('figure')) ?? find(ordered) ?? find(usual.find((name) => find(name))) ?? figures[0];
}

const ofDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const ofMonth = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

const writeDay = (label: string) => (label.length === 7 ? ofMonth : ofDay).format(new Date(label));

interface PictureProps {
  readonly made: Made;
  readonly by: string;
  readonly nameOf: (row: Row) => string;
}

/** Draws one figure of the rows, by days or by names. The address says which. */
export function Picture({ made, by, nameOf }: PictureProps) {
  const { rows, range } = made;
  const figures = listFigures(rows);
  const figure = findFigure(figures);
  if (!figure) return null;
  const write = figure.unit === 'money' ? money : count;
  const time = findTimeColumn(rows);
  const points = time ? drawTime(rows, figure.name, range) : [];
  const dimension = points[0]
    ? points[0].label.length === 7
      ? 'month'
      : 'day'
    : by || (rows[0]?.code === undefined ? 'campaign' : 'code');
  const heading = w.by(titleColumn(figure, by), human(dimension).toLowerCase());
  return (
    <Panel
      title={heading}
      actions={
        <select
          aria-label={w.figure}
          value={figure.name}
          onChange={({ currentTarget }) => setQuery({ figure: currentTarget.value })}
        >
          {figures.map((one) => (
            <option key={one.name} value={one.name}>
              {titleColumn(one, by)}
            </option>
          ))}
        </select>
      }
    >
      {time ? (
        <Bars
          title={heading}
          bars={points.map(({ label, value }) => ({ label: writeDay(label), value }))}
          write={write}
          names={[titleColumn(figure, by)]}
        />
      ) : (
        <Ranking rows={drawNames(rows, figure.name, nameOf)} write={write} />
      )}
      {made.hasMore && <small>{w.thisPage}</small>}
    </Panel>
  );
}
