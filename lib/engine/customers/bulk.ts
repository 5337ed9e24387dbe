import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { identifier, object } from '#kernel/core/schema.ts';
import { bulk, metadataBulk, type RowWriting, rowsBody } from '#kernel/kit/bulk/bulk.ts';
import { noteCreated } from '#kernel/kit/bulk/report.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import type { CustomerData } from './change-customer.ts';
import { customerFields, readCustomerData } from './customer-body.ts';
import { upsertCustomer } from './upsert-customer.ts';

/** Changes a customer without reading held cards, which no reply shows here. */
function upsert(context: RowWriting, data: CustomerData): Promise<true> {
  return retryOptimistically(context.table, async () => {
    const { before, effects } = await upsertCustomer(context, data, readOccasion(context), '');
    const all = before ? effects : [...effects, noteCreated(context)];
    return (await commit(context.table, all)) ? true : again;
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
