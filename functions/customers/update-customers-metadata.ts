import { customersMetadata } from '#engine/customers/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/metadata/async',
    scope: 'customers',
    summary: 'Update the metadata of many customers',
    note: 'Merges the metadata into each customer. An unknown source id creates a customer.',
    body: customersMetadata.body,
    ...startsBulk,
    example: { body: { source_ids: ['crm-101', 'crm-105'], metadata: { newsletter: true } } },
  },
  (call) => startBulk(call, customersMetadata, call.body),
);
