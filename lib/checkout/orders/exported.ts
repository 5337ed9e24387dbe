import { amounts, columns } from '../../kit/exports/columns.ts';
import { allOf, exported } from '../../kit/exports/exported.ts';
import { orderFigures, orderFilters } from './filter-fields.ts';
import { type Order, order, toWholeOrder } from './resource.ts';

export const exportedOrders = exported<Order>({
  object: 'order',
  ...allOf(order, toWholeOrder),
  fields: {
    ...columns('id', 'source_id', 'created_at', 'updated_at', 'status'),
    ...amounts(...orderFigures),
    ...columns('customer_id', 'referrer_id', 'metadata'),
  },
  defaults: ['id', 'source_id', 'status'],
  orders: ['created_at', 'updated_at', 'status'],
  filters: orderFilters,
});
