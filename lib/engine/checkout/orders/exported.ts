import { amountColumns, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport, describePlainExport } from '#kernel/kit/exports/exported-object.ts';
import { type Order, order, orderFigures, orderFilters, toWholeOrder } from './resource.ts';

export const exportedOrders = describeExport<Order>({
  object: 'order',
  ...describePlainExport(order, toWholeOrder),
  fields: {
    ...plainColumns('id', 'source_id', 'created_at', 'updated_at', 'status'),
    ...amountColumns(...orderFigures, 'initial_amount'),
    ...plainColumns('customer_id', 'referrer_id', 'metadata', 'items', 'redemptions'),
  },
  defaults: ['id', 'source_id', 'status'],
  orders: ['created_at', 'updated_at', 'status'],
  filters: orderFilters,
});
