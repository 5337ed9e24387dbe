import { keepsFiles } from '../../lib/core/files/access.ts';
import { customersMetadata } from '../../lib/customers/bulk.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startBulk, startedAction } from '../../lib/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/metadata/async',
    scope: 'customers',
    summary: 'Update the metadata of many customers',
    note: 'Merges the metadata into each customer. An unknown source id creates a customer.',
    body: customersMetadata.body,
    files: keepsFiles,
    answers: 'The id of the async action that does the work.',
    reply: json(startedAction, { status: 202 }),
    example: { body: { source_ids: ['crm-101', 'crm-105'], metadata: { newsletter: true } } },
  },
  (call) => startBulk(call, customersMetadata, call.body),
);
