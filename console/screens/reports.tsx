import { Page, Panel, Ready } from '../components/bits.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf } from '../core/api.ts';
import { human } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.reports;

export const titleOf = (name: string) => w.titles[name] ?? human(name);

/** Lists the reports with what they say. */
export function Reports() {
  const loaded = useLoad('', () => dataOf(api.GET('/v1/reports')));
  return (
    <Page title={words.screens.reports} sub={w.sub} actions={<a href={path('closes')}>{words.screens.closes}</a>}>
      <Ready of={loaded}>
        {({ reports }) => (
          <Panel>
            <Table
              rows={reports}
              idOf={({ name }) => name}
              columns={[
                { title: w.report, cell: ({ name }) => <a href={path('reports', name)}>{titleOf(name)}</a> },
                { title: w.says, cell: ({ description }) => description },
              ]}
            />
          </Panel>
        )}
      </Ready>
    </Page>
  );
}
