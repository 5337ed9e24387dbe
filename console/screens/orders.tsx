import { State } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { CustomerName } from '../components/person.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { money, time } from '../core/format.ts';
import { words } from '../words.ts';
import { OrderView } from './order.tsx';

export function Orders() {
  return (
    <List<Schemas['Order'], 'created_at'>
      title={words.screens.orders}
      empty={words.orders.empty}
      idOf={({ id }) => id}
      detail={(id, reload) => <OrderView id={id} changed={reload} />}
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
