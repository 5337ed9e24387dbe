import { plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport, describePlainExport } from '#kernel/kit/exports/exported-object.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { orderReturn, type ReturnItem } from './resource.ts';

export const exportedReturns = describeExport<ReturnItem>({
  object: 'order_return',
  ...describePlainExport(orderReturn, (item) => presentResource(orderReturn, item)),
  fields: {
    ...plainColumns('id', 'order_id', 'source_id', 'created_at', 'reason'),
    refund_total: ({ refund }) => refund.total,
    refund_money: ({ refund }) => refund.money,
    ...plainColumns('items', 'refund', 'reclaimed', 'earned_points', 'rolled_back', 'notes', 'metadata'),
  },
  defaults: ['id', 'order_id', 'source_id', 'created_at', 'refund_money'],
  orders: ['created_at'],
  filters: orderReturn.filters ?? {},
});
