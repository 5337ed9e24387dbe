import { identifier, object } from '../core/schema.ts';
import type { Writing } from '../http/context.ts';
import { bulk, metadataBulk, rowsBody } from '../kit/bulk/bulk.ts';
import { readOccasion } from '../ledger/activities/activity.ts';
import { again, retryOptimistically } from '../table/conflicts.ts';
import { commit } from '../table/effects.ts';
import type { CustomerData } from './change-customer.ts';
import { customerFields, readCustomerData } from './customer-body.ts';
import { upsertCustomer } from './upsert-customer.ts';

/** Changes a customer without reading held cards, which no reply shows here. */
function upsert(context: Writing, data: CustomerData): Promise<true> {
  return retryOptimistically(context.table, async () => {
    const { effects } = await upsertCustomer(context, data, readOccasion(context), '');
    return (await commit(context.table, effects)) ? true : again;
  });
}

export const customersBulk = bulk({
  type: 'CUSTOMERS.BULK_UPDATE',
  body: rowsBody(object({ source_id: identifier, ...customerFields })),
  rows: (rows) => rows,
  subject: ({ source_id }) => source_id,
  named: 'source_id',
  run: (context, { source_id, ...fields }) => upsert(context, { source_id, ...readCustomerData(fields) }),
});

export const customersMetadata = metadataBulk('CUSTOMERS.METADATA_UPDATE', upsert);
