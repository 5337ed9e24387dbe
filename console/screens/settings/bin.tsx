import { Empty, Panel, Ready } from '../../components/bits.tsx';
import { Table } from '../../components/table.tsx';
import { api, dataOf, type QueryOf } from '../../core/api.ts';
import { human, time } from '../../core/format.ts';
import { useLoad } from '../../core/load.ts';
import { words } from '../../words.ts';
import { Ask } from './ask.tsx';

const w = words.settings.bin;

/** Lists what was deleted and still keeps its name or code. */
export function Bin() {
  const query: QueryOf<'list-trash-bin'> = { limit: 50, order: '-id' };
  const loaded = useLoad('', () => dataOf(api.GET('/v1/trash-bin', { params: { query } })));
  const end = (binEntryId: string) =>
    dataOf(api.DELETE('/v1/trash-bin/{binEntryId}', { params: { path: { binEntryId } } }));
  return (
    <Panel title={words.settings.tabs.bin}>
      <p>{w.sub}</p>
      <Ready of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={w.empty} />
          ) : (
            <Table
              rows={data}
              idOf={({ id }) => id}
              columns={[
                { title: words.name, cell: (one) => one.resource_name },
                { title: words.kind, cell: (one) => human(one.resource_type) },
                { title: w.deleted, isExtra: true, cell: (one) => time(one.created_at) },
                {
                  title: words.change,
                  isNumber: true,
                  cell: (one) => (
                    <Ask
                      label={words.delete}
                      title={w.end(one.resource_name)}
                      question={w.ends}
                      said={w.ended(one.resource_name)}
                      act={() => end(one.id)}
                      changed={loaded.reload}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Ready>
    </Panel>
  );
}
