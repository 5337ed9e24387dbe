import { Code, Empty, Facts, Page, Panel, Ready, State } from '../components/bits.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf } from '../core/api.ts';
import { type Close, type CloseMonth, isRunning } from '../core/closes.ts';
import { count, human, money, time } from '../core/format.ts';
import { listJournal, writeCloseDates } from '../core/journal.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { writeMonth } from '../core/month-choice.ts';
import { actSoon } from '../core/notice.ts';
import { path, setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.closes;

interface Line<Name> {
  readonly name: Name;
  readonly isSum?: boolean;
}

const moneyNames = ['opening', 'deferred', 'redeemed', 'caught_up', 'closing'] as const;

type PointName = keyof CloseMonth['points'];
type MoneyName = (typeof moneyNames)[number];

const pointLines: readonly Line<PointName>[] = [
  { name: 'opening', isSum: true },
  ...(['corrected', 'opened', 'earned', 'spent', 'returned', 'expired', 'adjusted', 'transferred'] as const).map(
    (name) => ({ name }),
  ),
  { name: 'closing', isSum: true },
];

const moneyLines: readonly Line<MoneyName>[] = moneyNames.map((name) => ({
  name,
  isSum: name === 'opening' || name === 'closing',
}));

interface StatementProps<Name> {
  readonly title: string;
  readonly lines: readonly Line<Name>[];
  readonly months: readonly CloseMonth[];
  readonly figureOf: (month: CloseMonth, name: Name) => number | undefined;
  readonly write: (value: number | undefined) => string;
}

/** Shows a statement: a line for each figure, and a column for each month. */
function Statement<Name extends string>({ title, lines, months, figureOf, write }: StatementProps<Name>) {
  const shown = lines.filter(({ name, isSum }) => isSum || months.some((month) => figureOf(month, name)));
  return (
    <Panel title={title}>
      {/* Many months scroll, so the keyboard must reach them. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="wide" tabIndex={0} aria-label={title}>
        <table class="list small">
          <thead>
            <tr>
              <th scope="col">{w.figure}</th>
              {months.map(({ month }) => (
                <th key={month} scope="col" class="number">
                  {writeMonth(month)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, isSum }) => (
              <tr key={name}>
                <th scope="row">{isSum ? <b>{w.lines[name]}</b> : w.lines[name]}</th>
                {months.map((month) => (
                  <td key={month.month} class="number">
                    {isSum ? <b>{write(figureOf(month, name))}</b> : write(figureOf(month, name))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function Journal({ close }: { close: Close }) {
  const lines = listJournal(close.months);
  const { result } = close;
  return (
    <Panel title={w.journal} actions={result && <a href={result.journal.url}>{w.journalFile}</a>}>
      {lines.length === 0 ? (
        <Empty title={w.noJournal} hint={w.noJournalHint} />
      ) : (
        <Table
          rows={lines}
          idOf={({ month, reason, account, debit }) => `${month}${reason}${account}${debit}`}
          columns={[
            { title: w.month, cell: ({ month }) => <span class="whole">{month}</span> },
            { title: w.account, cell: ({ account, reason }) => `${human(account)} (${w.lines[reason]})` },
            { title: w.debit, isNumber: true, cell: ({ debit }) => (debit ? money(debit) : '') },
            { title: w.credit, isNumber: true, cell: ({ credit }) => (credit ? money(credit) : '') },
          ]}
        />
      )}
    </Panel>
  );
}

function Figures({ close }: { close: Close }) {
  const { months } = close;
  const hasMoney = months.some(({ liability }) => liability);
  return (
    <>
      <Statement
        title={words.points}
        lines={pointLines}
        months={months}
        figureOf={({ points }, name) => points[name]}
        write={count}
      />
      {hasMoney && (
        <Statement
          title={w.liability}
          lines={moneyLines}
          months={months}
          figureOf={({ liability }, name) => liability?.[name] ?? 0}
          write={money}
        />
      )}
      <Journal close={close} />
    </>
  );
}

/** Shows a close, and follows it until its figures are made. */
export function CloseView({ id, changed }: { id: string; changed: () => void }) {
  const params = { path: { closeId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/reports/closes/{closeId}', { params })));
  const isWaiting = loaded.data !== undefined && isRunning(loaded.data);
  useFollow(isWaiting, loaded, changed);
  const remove = () =>
    actSoon(
      words.deleted(w.close),
      () => dataOf(api.DELETE('/v1/reports/closes/{closeId}', { params })),
      () => {
        setQuery({ open: undefined });
        changed();
      },
    );
  return (
    <Ready of={loaded} isWhole>
      {(close) => (
        <Page
          title={close.campaign}
          sub={writeCloseDates(close)}
          actions={
            <>
              {close.result && <a href={close.result.statement.url}>{w.statementFile}</a>}
              <button type="button" onClick={remove}>
                {words.delete}
              </button>
            </>
          }
        >
          {isWaiting && <p role="status">{w.underWay}</p>}
          {close.status === 'ERROR' && (
            <div class="verdict no">
              <strong>{w.error}</strong>
            </div>
          )}
          {close.status === 'DONE' && <Figures close={close} />}
          <Facts
            rows={[
              [words.state, <State key="state" of={close.status} />],
              [
                w.programme,
                <a key="programme" href={path('loyalty', close.campaign_id)}>
                  {close.campaign}
                </a>,
              ],
              [w.cards, count(close.cards_count)],
              [w.zone, close.timezone],
              [words.created, time(close.created_at)],
              [words.id, <Code key="id">{close.id}</Code>],
            ]}
          />
        </Page>
      )}
    </Ready>
  );
}
