import { ordersImport } from '#engine/checkout/orders/import-orders.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk, startedAction } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/orders/import',
    scope: 'orders',
    summary: 'Import orders',
    note:
      "Accepts up to 2,000 orders, each in the form of `POST /v1/orders`. They count in the customers' figures, but " +
      'earn no points and send no notifications. The result of the action lists what failed.',
    body: ordersImport.body,
    ...startsBulk,
    reply: startedAction,
    example: {
      body: [
        { source_id: 'till-3-1998', status: 'FULFILLED', amount: 4900, created_at: '2025-11-02T10:00:00Z' },
        { source_id: 'till-3-1999', customer: { source_id: 'crm-101' }, items: [{ source_id: 'filter-paper' }] },
      ],
    },
  },
  (call) => startBulk(call, ordersImport, call.body),
);
