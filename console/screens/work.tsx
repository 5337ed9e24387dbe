import { useSignal } from '@preact/signals';
import { Badge, Code, Facts, Page, Panel, Ready, State } from '../components/bits.tsx';
import { Meter } from '../components/chart.tsx';
import { List } from '../components/list.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { ago, count, human, time } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { wordOf } from '../core/part.ts';
import { query } from '../core/router.ts';
import { words } from '../words.ts';
import { Import } from './import.tsx';

type Action = Schemas['ListAsyncActionsReply']['async_actions'][number];
type Export = Schemas['Export'];
const w = words.work;

const exported = [
  'voucher',
  'redemption',
  'customer',
  'publication',
  'order',
  'points_expiration',
  'voucher_transactions',
  'product',
  'sku',
] as const;

/** Tells work that failed as a whole from work of which some rows failed. */
function toneOf(status: Action['status'], outcome: Action['operation_status']): 'yes' | 'warm' | 'no' {
  if (outcome !== 'FAILED') return 'yes';
  return status === 'DONE' ? 'warm' : 'no';
}

function Outcome({ of: { status, operation_status: outcome } }: { of: Action }) {
  if (status === 'DONE' && outcome === 'FAILED') return <Badge tone="warm">{w.someFailed}</Badge>;
  return <State of={outcome} />;
}

interface FaultyRow {
  readonly row?: number;
  readonly code?: string | undefined;
  readonly source_id?: string | undefined;
  readonly reason: string;
}

/** Shows the outcome of work, with each row that failed and why. */
function ActionView({ id, changed }: { id: string; changed: () => void }) {
  const params = { path: { asyncActionId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/async-actions/{asyncActionId}', { params })));
  const isRunning = loaded.data !== undefined && loaded.data.status !== 'DONE' && loaded.data.status !== 'FAILED';
  useFollow(isRunning, loaded, changed);
  return (
    <Ready of={loaded}>
      {(action) => {
        const { result, progress, operation_status: outcome } = action;
        const faulty: FaultyRow[] = [
          ...(result?.failed ?? []),
          ...(result?.errors ?? []).map(({ details: reason, ...one }) => ({ ...one, reason })),
        ];
        return (
          <Page title={human(action.type)} sub={ago(action.created_at)}>
            {isRunning && <Meter value={progress ?? 0} of={100} label={w.progress(count(progress ?? 0))} />}
            {result && (
              <div class={`verdict ${toneOf(action.status, outcome)}`}>
                <strong>{w.outcome(result.done_count, result.failed_count ?? 0, count)}</strong>
                <p>{result.message}</p>
              </div>
            )}
            {faulty.length > 0 && (
              <Panel title={w.faulty}>
                <Table
                  rows={faulty}
                  idOf={(one) => `${one.row}${one.code}${one.source_id}`}
                  columns={[
                    { title: w.row, cell: ({ row }) => count(row) },
                    { title: words.id, cell: (one) => one.code ?? one.source_id ?? '–' },
                    { title: words.redemptions.why, cell: ({ reason }) => reason },
                  ]}
                />
              </Panel>
            )}
            <Facts
              rows={[
                [words.state, <State key="state" of={action.status} />],
                [w.rowsDone, result && count(result.done_count)],
                [w.rowsFailed, result?.failed_count ? count(result.failed_count) : undefined],
                [w.rowsCreated, result?.created_count === undefined ? undefined : count(result.created_count)],
                [w.rowsChanged, result?.changed_count === undefined ? undefined : count(result.changed_count)],
                [w.rowsUnchanged, result?.unchanged_count === undefined ? undefined : count(result.unchanged_count)],
                [words.started, time(action.created_at)],
                [
                  w.took,
                  action.processing_time === undefined
                    ? undefined
                    : w.seconds((action.processing_time / 1000).toFixed(1)),
                ],
                [words.id, <Code key="id">{action.id}</Code>],
              ]}
            />
          </Page>
        );
      }}
    </Ready>
  );
}

function Exports() {
  const version = useSignal(0);
  const start = (object: (typeof exported)[number]) =>
    attempt(w.exporting(human(object)), () =>
      dataOf(api.POST('/v1/exports', { body: { exported_object: object } })),
    ).then(() => {
      version.value += 1;
    });
  return (
    <List<Export, 'created_at'>
      title={w.exports}
      version={version.value}
      actions={
        <>
          <Tabs />
          <select
            aria-label={w.export}
            value=""
            onChange={({ currentTarget }) => {
              const object = wordOf(exported, currentTarget.value);
              currentTarget.value = '';
              if (object) start(object);
            }}
          >
            <option value="">{w.export}</option>
            {exported.map((object) => (
              <option key={object} value={object}>
                {human(object)}
              </option>
            ))}
          </select>
        </>
      }
      empty={w.noExports}
      isLive={(rows) => rows.some(({ status }) => status === 'SCHEDULED' || status === 'IN_PROGRESS')}
      idOf={({ id }) => id}
      load={async ({ limit, page, order }) => {
        const { exports, total } = await dataOf(api.GET('/v1/exports', { params: { query: { limit, page, order } } }));
        return { rows: exports, total };
      }}
      columns={[
        { title: w.kind, cell: (one) => human(one.exported_object) },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        { title: words.started, order: 'created_at', cell: (one) => time(one.created_at) },
        { title: w.file, cell: ({ result }) => (result?.url ? <a href={result.url}>{w.download}</a> : '–') },
      ]}
    />
  );
}

function Tabs() {
  const isExports = query.value.get('tab') === 'exports';
  return (
    <nav class="tabs" aria-label={words.screens.work}>
      <a href="?" aria-current={isExports ? undefined : 'true'}>
        {w.actions}
      </a>
      <a href="?tab=exports" aria-current={isExports ? 'true' : undefined}>
        {w.exports}
      </a>
    </nav>
  );
}

export function Work() {
  const version = useSignal(0);
  const again = () => {
    version.value += 1;
  };
  if (query.value.get('tab') === 'exports') return <Exports />;
  return (
    <List<Action>
      title={words.screens.work}
      version={version.value}
      actions={
        <>
          <Tabs />
          <Import done={again} />
        </>
      }
      empty={w.empty}
      idOf={({ id }) => id}
      detail={(id, reload) => <ActionView id={id} changed={reload} />}
      load={async ({ limit }) => {
        const { async_actions: rows } = await dataOf(api.GET('/v1/async-actions', { params: { query: { limit } } }));
        return { rows, hasMore: false };
      }}
      columns={[
        { title: w.kind, cell: ({ type }) => human(type) },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        { title: w.result, cell: (one) => <Outcome of={one} /> },
        { title: w.done, isNumber: true, isExtra: true, cell: ({ progress }) => `${count(progress ?? 0)} %` },
        { title: words.started, isNumber: true, cell: (one) => ago(one.created_at) },
      ]}
    />
  );
}
