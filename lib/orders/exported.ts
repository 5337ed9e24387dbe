import { amounts, columns } from '../exports/columns.ts';
import { allOf, exported } from '../exports/exported.ts';
import { type Order, order, toWholeOrder } from './resource.ts';

const figures = [
  'amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
] as const;

export const exportedOrders = exported<Order>({
  object: 'order',
  ...allOf(order, toWholeOrder),
  fields: {
    ...columns('id', 'source_id', 'created_at', 'updated_at', 'status'),
    ...amounts(...figures),
    ...columns('customer_id', 'referrer_id', 'metadata'),
  },
  defaults: ['id', 'source_id', 'status'],
  orders: ['created_at', 'updated_at', 'status'],
  filters: {
    created_at: 'date',
    updated_at: 'date',
    status: 'text',
    source_id: 'text',
    ...Object.fromEntries(figures.map((name) => [name, 'number' as const])),
    'metadata.*': 'any',
  },
});
