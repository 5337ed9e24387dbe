import { occasionOf } from '../activities/activity.ts';
import { columnsCalled, csvBulk } from '../bulk/csv-bulk.ts';
import type { Writing } from '../context.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commit } from '../table/effects.ts';
import { describedAs } from './change-customer.ts';
import { addressFields } from './customer.ts';
import { createCustomerBody, customerData } from './customer-body.ts';
import { findUpserted, type NamedCustomer, upsertEffects } from './upsert-customer.ts';

const blank = {
  name: null,
  description: null,
  email: null,
  phone: null,
  birthdate: null,
  address: null,
  metadata: null,
};

/** What the row says is all that is said of the customer from then on. */
function overwrite(context: Writing, row: NamedCustomer): Promise<true> {
  const { id, source_id, ...said } = row;
  return retryOptimistically(context.table, async () => {
    const { before, after } = await findUpserted(context, { id, source_id }, '');
    const bare = before ? { ...before, address: undefined, metadata: {} } : after;
    const upsert = { before, after: describedAs(bare, { ...blank, ...said }, '') };
    return (await commit(context.table, upsertEffects(context, upsert, occasionOf(context)))) ? true : undefined;
  });
}

/** An import may give a time, too; a date of birth has none. */
function dateOf(cell: string): string {
  return cell.replace(/T\d{2}(?::\d{2}(?::\d{2}(?:(?:\.\d{3})?Z)?)?)?$/, '');
}

const addressColumns = addressFields.flatMap((name) => {
  const field = `address.${name}`;
  return [[`address_${name}`, field], ...(name.startsWith('line') ? [] : [[name, field]])];
});

export const customersCsv = csvBulk({
  type: 'CUSTOMERS.IMPORT_CSV',
  columns: {
    ...columnsCalled('id', 'source_id', 'name', 'email', 'phone', 'birthdate', 'description'),
    ...Object.fromEntries(addressColumns),
  },
  needs: ['source_id', 'id'],
  mayHaveSpaces: false,
  values: { birthdate: dateOf },
  body: createCustomerBody,
  run: (context, { id, source_id, ...fields }) => {
    const { birthdate = null, ...others } = customerData(fields);
    return overwrite(context, { ...others, id, source_id, birthdate });
  },
});
