import { Empty, Figure, Panel, State } from '../components/bits.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { writePeriod } from '../core/benefit.ts';
import { type FailedDelivery, type Period, periods, readFailedDeliveries, readPoints } from '../core/day.ts';
import { ago, compact, count, human } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import { managementKey } from '../core/session.ts';
import { words } from '../words.ts';

const w = words.today;

/** Shows the points that the programmes issued, and those that members spent. */
export function PointFigures({ period, now }: { period: Period; now: number }) {
  const { data } = useLoad(period, () => readPoints(new Date(now - periods[period])));
  const [issued, spent] = data ? [compact(data.issued), compact(data.spent)] : ['–', '–'];
  return (
    <>
      <Figure label={w.issued} value={issued} href={path('loyalty')} />
      <Figure label={w.spent} value={spent} href={path('loyalty')} />
    </>
  );
}

type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

export function Running({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <Panel title={w.running}>
      <Table
        rows={campaigns.slice(0, 8)}
        idOf={({ id }) => id}
        columns={[
          { title: words.name, cell: ({ id, name }) => <a href={path('campaigns', id)}>{name}</a> },
          { title: words.dates, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
          { title: words.codes, isNumber: true, cell: (one) => count(one.vouchers_count) },
        ]}
      />
    </Panel>
  );
}

export function LatestWork() {
  const work = useLoad('', () => dataOf(api.GET('/v1/async-actions', { params: { query: { limit: 6 } } })));
  return (
    <Panel title={words.screens.work} actions={<a href={path('work')}>{words.all}</a>}>
      {work.data?.async_actions.length ? (
        <Table
          rows={work.data.async_actions}
          idOf={({ id }) => id}
          columns={[
            {
              title: words.work.kind,
              cell: ({ id, type }) => <a href={`${path('work')}?open=${id}`}>{human(type)}</a>,
            },
            {
              title: words.state,
              cell: ({ operation_status: outcome, status }) => <State of={outcome === 'FAILED' ? outcome : status} />,
            },
            { title: words.started, isNumber: true, cell: (one) => ago(one.created_at) },
          ]}
        />
      ) : (
        <Empty title={words.work.empty[0]} />
      )}
    </Panel>
  );
}

/** Shows deliveries to webhooks that nobody took. A key without a right to them sees where to enter another one. */
export function FailedDeliveries() {
  const { data, refusal } = useLoad(managementKey.value?.managementId ?? '', readFailedDeliveries);
  return (
    <Panel title={w.failedDeliveries} actions={<a href={path('webhooks')}>{words.all}</a>}>
      {refusal && <Empty title={words.management.title} />}
      {data?.length === 0 && <Empty title={w.allArrived} />}
      {data !== undefined && data.length > 0 && (
        <Table<FailedDelivery>
          rows={data}
          idOf={({ delivery }) => delivery.id}
          columns={[
            {
              title: words.webhooks.type,
              cell: ({ webhook, delivery }) => (
                <a href={`${path('webhooks', webhook.id)}?status=FAILED&open=${delivery.id}`}>{delivery.type}</a>
              ),
            },
            { title: words.webhooks.target, cell: ({ webhook }) => new URL(webhook.target_url).host },
            { title: words.moment, isNumber: true, cell: ({ delivery }) => ago(delivery.created_at) },
          ]}
        />
      )}
    </Panel>
  );
}
