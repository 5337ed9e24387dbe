import { Code, Facts, Page, Panel, Ready, State } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { Totals } from '../components/outcomes.tsx';
import { api, dataOf, type QueryOf } from '../core/api.ts';
import { human, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { wordOf } from '../core/part.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

const nameOf = ({ voucher, promotion_tier: tier, related_object_id: id }: Redemption) =>
  voucher?.code ?? tier?.name ?? id ?? '–';

function RedemptionView({ id, changed }: { id: string; changed: () => void }) {
  const params = { path: { redemptionId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/redemptions/{redemptionId}', { params })));
  const rollBack = async () => {
    await attempt(words.simulator.rolledBack, () =>
      dataOf(api.POST('/v1/redemptions/{redemptionId}/rollback', { params, body: {} })),
    );
    loaded.reload();
    changed();
  };
  return (
    <Ready of={loaded}>
      {(one) => (
        <Page
          title={nameOf(one)}
          sub={time(one.date)}
          actions={
            one.status === 'SUCCEEDED' && (
              <button type="button" onClick={rollBack}>
                {words.simulator.rollBack}
              </button>
            )
          }
        >
          {one.failure_code && (
            <div class="verdict no">
              <strong>{human(one.failure_code)}</strong>
              <p>{one.failure_message}</p>
            </div>
          )}
          {one.order && (
            <Panel title={words.order}>
              <Totals order={one.order} />
            </Panel>
          )}
          <Facts
            rows={[
              [words.state, <State key="state" of={one.status} />],
              Boolean(one.voucher) && [
                words.vouchers.code,
                <a key="code" href={path('vouchers', one.voucher?.code ?? '')}>
                  {one.voucher?.code}
                </a>,
              ],
              Boolean(one.voucher?.campaign_id) && [
                words.campaign,
                <a key="campaign" href={path('campaigns', one.voucher?.campaign_id ?? '')}>
                  {one.voucher?.campaign}
                </a>,
              ],
              Boolean(one.customer) && [
                words.customer,
                <a key="customer" href={path('customers', one.customer?.id ?? '')}>
                  {one.customer?.name ?? one.customer?.id}
                </a>,
              ],
              [words.redemptions.channel, one.channel?.channel_id],
              [words.id, <Code key="id">{one.id}</Code>],
            ]}
          />
        </Page>
      )}
    </Ready>
  );
}

const results = ['SUCCESS', 'FAILURE'] as const;

export function Redemptions() {
  return (
    <List<Redemption, 'created_at'>
      title={words.screens.redemptions}
      empty={words.redemptions.empty}
      facets={[
        {
          name: 'result',
          label: words.redemptions.anyResult,
          choices: [
            ['SUCCESS', words.redemptions.succeeded],
            ['FAILURE', words.redemptions.refused],
          ],
        },
      ]}
      idOf={({ id }) => id}
      detail={(id, reload) => <RedemptionView id={id} changed={reload} />}
      load={async ({ limit, page, order, facet }) => {
        const result = wordOf(results, facet('result'));
        const query: QueryOf<'list-redemptions'> = { limit, page, order, result: result && [result] };
        const {
          redemptions,
          total,
          has_more: hasMore,
        } = await dataOf(api.GET('/v1/redemptions', { params: { query } }));
        return { rows: redemptions, total, hasMore };
      }}
      columns={[
        { title: words.moment, order: 'created_at', cell: ({ date }) => time(date) },
        { title: words.redemptions.what, cell: (one) => <code>{nameOf(one)}</code> },
        { title: words.campaign, isExtra: true, cell: ({ voucher }) => voucher?.campaign ?? '–' },
        { title: words.customer, isExtra: true, cell: ({ customer }) => customer?.name ?? customer?.source_id ?? '–' },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        {
          title: words.redemptions.why,
          isExtra: true,
          cell: (one) => (one.failure_code ? human(one.failure_code) : ''),
        },
        {
          title: words.today.discount,
          isNumber: true,
          cell: ({ order }) => money(order?.total_applied_discount_amount),
        },
      ]}
    />
  );
}
