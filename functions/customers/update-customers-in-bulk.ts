import { customersBulk } from '#engine/customers/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/bulk/async',
    scope: 'customers',
    summary: 'Update customers in bulk',
    note:
      'Upserts by `source_id`. An unknown `source_id` creates a customer. A body holds up to 100,000 rows in 4 ' +
      'MB. The result of the action lists what failed.',
    body: customersBulk.body,
    ...startsBulk,
    example: {
      body: [
        { source_id: 'crm-101', metadata: { roast: 'light' } },
        { source_id: 'crm-105', name: 'Jon Vik' },
      ],
    },
  },
  (call) => startBulk(call, customersBulk, call.body),
);
