import { Code, Facts, Page, Panel, Ready } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { RuleWords } from '../components/sentences.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { count, date, human, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

const homes: Readonly<Record<string, (id: string) => string>> = {
  campaign: (id) => path('campaigns', id),
  voucher: (id) => path('vouchers', id),
  promotion_tier: (id) => `${path('promotions')}?open=${id}`,
};

function RuleView({ id }: { id: string }) {
  const params = { path: { validationRuleId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/validation-rules/{validationRuleId}', { params })));
  const used = useLoad(id, () => dataOf(api.GET('/v1/validation-rules/{validationRuleId}/assignments', { params })));
  return (
    <Ready of={loaded}>
      {(rule) => (
        <Page title={rule.name} sub={human(rule.context_type)}>
          <RuleWords rules={rule.rules} />
          <Panel title={words.rules.usedBy}>
            <Ready of={used}>
              {({ data }) => (
                <Table
                  rows={data}
                  idOf={(one) => one.id}
                  columns={[
                    {
                      title: words.rules.object,
                      cell: ({ related_object_id: object, related_object_type: type }) => (
                        <a href={homes[type]?.(object) ?? path('rules')}>{object}</a>
                      ),
                    },
                    { title: words.kind, cell: (one) => human(one.related_object_type) },
                  ]}
                />
              )}
            </Ready>
          </Panel>
          <Facts
            rows={[
              [words.created, time(rule.created_at)],
              [words.id, <Code key="id">{rule.id}</Code>],
            ]}
          />
        </Page>
      )}
    </Ready>
  );
}

export function Rules() {
  return (
    <List<Schemas['ValidationRules'], 'created_at' | 'name'>
      title={words.screens.rules}
      empty={words.rules.empty}
      idOf={({ id }) => id}
      detail={(id) => <RuleView id={id} />}
      load={async ({ limit, page, order }) => {
        const query: QueryOf<'list-validation-rules'> = { limit, page, order };
        const { data, total } = await dataOf(api.GET('/v1/validation-rules', { params: { query } }));
        return { rows: data, total };
      }}
      columns={[
        { title: words.name, order: 'name', cell: ({ name }) => name },
        { title: words.rules.context, isExtra: true, cell: (one) => human(one.context_type) },
        { title: words.uses, isNumber: true, cell: (one) => count(one.assignments_count) },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
