import { productsBulk } from '#engine/catalogue/products/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/products/bulk/async',
    scope: 'products',
    summary: 'Update products in bulk',
    note:
      'Upserts by `source_id`. An unknown `source_id` creates a product. A body holds up to 100,000 rows in 4 MB. ' +
      'The result of the action lists what failed.',
    body: productsBulk.body,
    ...startsBulk,
    example: {
      body: [
        { source_id: 'mug-tin', price: 2100 },
        { source_id: 'mug-glass', name: 'Glass mug' },
      ],
    },
  },
  (call) => startBulk(call, productsBulk, call.body),
);
