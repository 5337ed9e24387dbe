import { Code, Facts, Metadata, Page, Panel, Ready, State } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { Totals } from '../components/outcomes.tsx';
import { CustomerName } from '../components/person.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { words } from '../words.ts';

/** Adds the order up by the discounts that it keeps. A redemption says what it applied by itself. */
function withDiscounts({ amount, total_amount, total_discount_amount, items }: Schemas['Order']) {
  return {
    amount,
    total_amount,
    total_applied_discount_amount: total_discount_amount,
    items: items.map((item) => ({ ...item, applied_discount_amount: item.discount_amount })),
  };
}

function OrderView({ id }: { id: string }) {
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/orders/{orderId}', { params: { path: { orderId: id } } })));
  return (
    <Ready of={loaded}>
      {(order) => (
        <Page
          title={order.source_id ?? words.redemptions.order(money(order.total_amount ?? order.amount))}
          sub={time(order.created_at)}
        >
          <Panel>
            <Totals order={withDiscounts(order)} />
          </Panel>
          <Facts
            rows={[
              [words.state, <State key="state" of={order.status} />],
              Boolean(order.customer_id) && [
                words.customer,
                <CustomerName key="customer" id={order.customer_id ?? ''} />,
              ],
              [words.id, <Code key="id">{order.id}</Code>],
            ]}
          />
          <Metadata of={order.metadata} />
        </Page>
      )}
    </Ready>
  );
}

export function Orders() {
  return (
    <List<Schemas['Order'], 'created_at'>
      title={words.screens.orders}
      empty={words.orders.empty}
      idOf={({ id }) => id}
      detail={(id) => <OrderView id={id} />}
      load={async ({ limit, page, order }) => {
        const {
          orders,
          total,
          has_more: hasMore,
        } = await dataOf(api.GET('/v1/orders', { params: { query: { limit, page, order } } }));
        return { rows: orders, total, hasMore };
      }}
      columns={[
        { title: words.moment, order: 'created_at', cell: (one) => time(one.created_at) },
        { title: words.sourceId, isExtra: true, cell: (one) => one.source_id ?? '–' },
        { title: words.customer, isExtra: true, cell: ({ customer_id: id }) => (id ? <CustomerName id={id} /> : '–') },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        { title: words.today.discount, isNumber: true, isExtra: true, cell: (one) => money(one.total_discount_amount) },
        { title: words.simulator.total, isNumber: true, cell: (one) => money(one.total_amount ?? one.amount) },
      ]}
    />
  );
}
