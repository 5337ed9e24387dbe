import { Badge, Code, Facts, Page, Panel, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { List } from '../components/list.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { writeFilter } from '../core/filters.ts';
import { date, human, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { actSoon } from '../core/notice.ts';
import { path, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { NewSegment } from './new-segment.tsx';

function SegmentView({ id, changed }: { id: string; changed: () => void }) {
  const loaded = useLoad(id, () =>
    dataOf(api.GET('/v1/segments/{segmentId}', { params: { path: { segmentId: id } } })),
  );
  const query: QueryOf<'list-customers'> = { segment_id: id, limit: 25 };
  const members = useLoad(id, () => dataOf(api.GET('/v1/customers', { params: { query } })));
  return (
    <Ready of={loaded}>
      {(segment) => (
        <Page
          title={segment.name}
          sub={human(segment.type)}
          actions={
            <button
              type="button"
              onClick={() =>
                actSoon(
                  words.deleted(segment.name),
                  () => dataOf(api.DELETE('/v1/segments/{segmentId}', { params: { path: { segmentId: id } } })),
                  () => {
                    setQuery({ open: undefined });
                    changed();
                  },
                )
              }
            >
              {words.delete}
            </button>
          }
        >
          {segment.filter && (
            <Panel title={words.segments.filter}>
              <div class="rule">
                {writeFilter(segment.filter).map((line) => (
                  <span key={line}>{line}</span>
                ))}
                {segment.filter.junction === 'or' && <small>{words.segments.any}</small>}
              </div>
            </Panel>
          )}
          <Panel title={words.segments.members}>
            <Ready of={members}>
              {({ customers }) => (
                <Table
                  rows={customers}
                  idOf={(one) => one.id}
                  columns={[
                    {
                      title: words.name,
                      cell: (one) => <a href={path('customers', one.id)}>{one.name ?? one.source_id ?? one.id}</a>,
                    },
                    { title: words.customers.email, cell: ({ email }) => email ?? '–' },
                  ]}
                />
              )}
            </Ready>
          </Panel>
          <Facts
            rows={[
              [words.created, time(segment.created_at)],
              [words.id, <Code key="id">{segment.id}</Code>],
            ]}
          />
        </Page>
      )}
    </Ready>
  );
}

export function Segments() {
  return (
    <List<Schemas['Segment'], 'created_at'>
      title={words.screens.segments}
      actions={
        <DialogButton label={words.segments.create} isMain>
          {(close, isOpen) => isOpen && <NewSegment close={close} />}
        </DialogButton>
      }
      empty={words.segments.empty}
      idOf={({ id }) => id}
      detail={(id, reload) => <SegmentView id={id} changed={reload} />}
      load={async ({ limit, page, order }) => {
        const {
          data,
          total,
          has_more: hasMore,
        } = await dataOf(api.GET('/v1/segments', { params: { query: { limit, page, order } } }));
        return { rows: data, total, hasMore };
      }}
      columns={[
        { title: words.name, cell: ({ name }) => name },
        { title: words.kind, cell: ({ type }) => <Badge>{human(type)}</Badge> },
        { title: words.created, order: 'created_at', cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
