import { useEffect, useRef } from 'preact/hooks';
import { Empty, Page, Panel, Ready, Refused, Waiting } from '../components/bits.tsx';
import { type Choice, listChoices } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { units } from '../core/currency.ts';
import { dayIn, shiftDay } from '../core/days.ts';
import { count, human } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { listMonths } from '../core/month-choice.ts';
import { attempt } from '../core/notice.ts';
import {
  type Answer,
  type Asked,
  listOptions,
  makeReport,
  type Report,
  readAction,
  readAsked,
  startFiles,
} from '../core/report-call.ts';
import { path, query, setQuery } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { ReportResult } from './report-result.tsx';
import { titleOf } from './reports.tsx';

const w = words.reports;

/** Changes parameters of the report. Its page and its files belong to the earlier parameters. */
const ask = (changes: Readonly<Record<string, string | undefined>>) =>
  setQuery({ ...changes, page: undefined, action: undefined });

interface ParametersProps {
  readonly report: Report;
  readonly asked: Asked;
  readonly again: () => void;
}

/** Asks for the parameters of the report. */
function Parameters({ report, asked, again }: ParametersProps) {
  const { dimensions, orders } = report;
  const campaigns = useLoad('', () => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })));
  const known = listChoices(campaigns.data?.campaigns ?? []);
  const chosen = String(asked.campaign_id ?? '');
  const others: Choice[] = known.some(([id]) => id === chosen) || chosen === '' ? [] : [[chosen, chosen]];
  const turn = useRef({ key: '', number: 0 });
  const key = JSON.stringify(asked);
  // The fields are drawn again when the address changes by other ways than this form.
  if (turn.current.key !== key) turn.current = { key, number: turn.current.number + 1 };
  const send = async (body: BodyOf<'make-report'>) => {
    const changes = Object.entries(body).map(([name, value]) => [name, value === null ? undefined : String(value)]);
    if (changes.length === 0) again();
    ask(Object.fromEntries(changes));
  };
  if (campaigns.isLoading) return <Waiting lines={2} />;
  return (
    <div class="asking">
      <Form
        key={turn.current.number}
        of="make-report"
        fields={['from', 'to', ...listOptions(report), ...(orders.length > 0 ? (['order'] as const) : []), 'timezone']}
        initial={asked}
        choices={{
          by: dimensions.map((name, place): Choice => [place === 0 ? '' : name, human(name)]),
          order: [['', w.usualOrder], ...orders.map((name): Choice => [name, w.orders[name] ?? human(name)])],
          ...(campaigns.data ? { campaign_id: [['', w.allCampaigns], ...known, ...others] } : {}),
        }}
        submit={w.make}
        send={send}
      />
    </div>
  );
}

const ranges = [30, 90, 365] as const;
const months = 13;

/** Offers usual ranges, up to today. The API uses 30 days by default. */
function Ranges({ asked }: { asked: Asked }) {
  const timezone = asked.timezone ?? units.value?.timezone ?? 'UTC';
  const today = dayIn(Date.now(), timezone);
  const known = listMonths(Date.now(), timezone, months);
  const month = known.find(({ first, last }) => first === asked.from && last === asked.to);
  return (
    <nav class="tabs" aria-label={w.period}>
      {ranges.map((days) => {
        const first = shiftDay(today, 1 - days);
        const from = days === ranges[0] ? undefined : first;
        const isNow = asked.from === from && asked.to === undefined;
        const params = new URLSearchParams(query.value);
        for (const name of ['from', 'to', 'page', 'action']) params.delete(name);
        if (from) params.set('from', from);
        return (
          <a key={days} href={`?${params}`} aria-current={isNow ? 'true' : undefined}>
            {w.days(count(days))}
          </a>
        );
      })}
      <select
        aria-label={w.month}
        value={month?.key ?? ''}
        onChange={({ currentTarget }) => {
          const one = known.find(({ key }) => key === currentTarget.value);
          ask({ from: one?.first, to: one?.last });
        }}
      >
        <option value="">{w.month}</option>
        {known.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </nav>
  );
}

function Disabled() {
  return (
    <Empty title={w.disabled} hint={w.disabledHint}>
      <code>{w.disabledCommand}</code>
    </Empty>
  );
}

const isRunning = (answer: Answer | undefined) =>
  answer !== undefined && 'state' in answer && answer.state === 'running';

/** Requests the report of the address, and follows the action that makes a long report. */
function useAnswer(report: Report, asked: Asked) {
  const page = Number(query.value.get('page') ?? 1);
  const action = query.value.get('action') ?? undefined;
  const loaded = useLoad(JSON.stringify([asked, page, action]), () =>
    action === undefined ? makeReport(report.name, asked, page) : readAction(action),
  );
  const { data } = loaded;
  const started = data && 'action' in data ? data.action : undefined;
  useEffect(() => {
    if (started) setQuery({ action: started }, 'replace');
  }, [started]);
  useFollow(action !== undefined && isRunning(data), loaded);
  return { ...loaded, page };
}

/** A narrow screen shows the figures first. */
const isWide = matchMedia('(min-width: 761px)').matches;

function ReportView({ report }: { report: Report }) {
  const asked = readAsked(report);
  const { data, refusal, reload, isLoading, page } = useAnswer(report, asked);
  const writeFiles = async () => {
    let action = '';
    const isStarted = await attempt(w.underWay, async () => {
      action = await startFiles(report.name, asked);
    });
    if (isStarted) setQuery({ action, page: undefined });
  };
  const isMade = data !== undefined && 'rows' in data;
  return (
    <Page
      title={titleOf(report.name)}
      sub={report.description}
      actions={
        <>
          <a href={path('reports')}>{w.all}</a>
          {isMade && !data.files && data.rows.length > 0 && (
            <button type="button" onClick={writeFiles}>
              {w.asFile}
            </button>
          )}
        </>
      }
    >
      <Panel>
        <Ranges asked={asked} />
        <details open={isWide}>
          <summary>{w.parameters}</summary>
          <Parameters report={report} asked={asked} again={reload} />
        </details>
      </Panel>
      {refusal?.key === 'reports_disabled' && <Disabled />}
      {refusal && refusal.key !== 'reports_disabled' && <Refused refusal={refusal} again={reload} />}
      {!data && !refusal && <Waiting lines={8} />}
      {data && !isMade && ('action' in data || data.state === 'running') && <p role="status">{w.underWay}</p>}
      {data && 'state' in data && data.state === 'failed' && (
        <div class="verdict no">
          <strong>{w.failed}</strong>
        </div>
      )}
      {isMade && <ReportResult report={report} asked={asked} made={data} page={page} isStale={isLoading} />}
    </Page>
  );
}

/** Makes a report by the parameters of the address. */
export function ReportPage({ params }: ScreenProps) {
  const loaded = useLoad('', () => dataOf(api.GET('/v1/reports')));
  return (
    <Ready of={loaded}>
      {({ reports }) => {
        const report = reports.find(({ name }) => name === params.name);
        if (report) return <ReportView key={report.name} report={report} />;
        return (
          <Empty title={w.noReport} hint={params.name ?? ''}>
            <a href={path('reports')}>{w.all}</a>
          </Empty>
        );
      }}
    </Ready>
  );
}
