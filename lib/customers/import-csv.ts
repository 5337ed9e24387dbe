import type * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import { checkBySchema } from '../core/metadata/check.ts';
import { count, nullable, object } from '../core/schema.ts';
import type { Writing } from '../http/context.ts';
import { csvBulk, nameColumns } from '../kit/bulk/csv-bulk.ts';
import { importedAges, parseMinorUnits, parseWholeNumber, readAges } from '../kit/bulk/csv-cells.ts';
import { readOccasion } from '../ledger/activities/activity.ts';
import { again, retryOptimistically } from '../table/conflicts.ts';
import { check, commit, type Effect } from '../table/effects.ts';
import { applyData, newCustomer } from './change-customer.ts';
import { addressFields, type CustomerItem, customerSources } from './customer.ts';
import { createCustomerBody, readCustomerData } from './customer-body.ts';
import { redemptionTotalNames } from './customer-figures.ts';
import { findCustomerById } from './find-customer.ts';
import { findUpserted, type Upsert, writeUpsert } from './upsert-customer.ts';

/** An import sets these figures of a customer from before the import. Exports show them, and project files have them. */
const orderAmounts = ['total_amount', 'average_amount', 'last_order_amount'] as const;

const figures = {
  redemptions: nullable(object(Object.fromEntries(redemptionTotalNames.map((name) => [name, nullable(count)])))),
  orders: nullable(
    object({
      ...Object.fromEntries(orderAmounts.map((name) => [name, nullable(count)])),
      total_count: nullable(count),
      last_order_date: importedAges.created_at,
    }),
  ),
  loyalty: nullable(object({ referred_customers: nullable(count) })),
};

const row = object({ ...createCustomerBody.entries, ...importedAges, ...figures });

type Row = v.InferOutput<typeof row>;

const blank = {
  name: null,
  description: null,
  email: null,
  phone: null,
  birthdate: null,
  address: null,
  metadata: null,
};

function duplicate(id: string, fault: string): ServiceError {
  return new ServiceError('duplicate_found', { details: `id ${fault}`, resource: { id, type: 'customer' } });
}

/** Makes a customer under the id of the row. No customer may have the id, and no source id may equal it. */
function checkFreeId(context: Writing, id: string): Effect[] {
  return [
    check(
      customerSources(context.project.id, id),
      (update) => update.whenStill('customer_id', undefined),
      () => duplicate(id, 'is the source_id of another customer: leave the id empty, or change it'),
    ),
  ];
}

/** Returns a new customer from the row, with the earlier figures. */
function buildNew(
  context: Writing,
  { id, source_id, created_at, updated_at, redemptions, orders, loyalty }: Row,
): CustomerItem {
  const { now } = context;
  const made = newCustomer(context, { source_id });
  return {
    ...made,
    id: id || made.id,
    ...readAges({ created_at, updated_at }, now),
    summary: { ...(redemptions ? { redemptions } : {}), ...(orders ? { orders } : {}) },
    loyalty: loyalty ?? {},
  };
}

/** Finds the customer with this id, or else with this source id. An unknown id becomes the id of a new customer. */
async function findOrBuild(context: Writing, sent: Row): Promise<{ upsert: Upsert; effects: Effect[] }> {
  const { id, source_id } = sent;
  const known = id ? await findCustomerById(context, id) : undefined;
  if (known) return { upsert: { before: known, after: known }, effects: [] };
  const found = source_id ? await findUpserted(context, { source_id }, '') : undefined;
  if (found?.before) return { upsert: found, effects: [] };
  return { upsert: { before: undefined, after: buildNew(context, sent) }, effects: id ? checkFreeId(context, id) : [] };
}

/** Replaces the customer's data by the data of the row. */
function overwrite(context: Writing, sent: Row): Promise<true> {
  const { id: _, source_id: __, created_at, updated_at, redemptions, orders, loyalty, ...described } = sent;
  const { birthdate = null, ...others } = readCustomerData(described);
  return retryOptimistically(context.table, async () => {
    const { upsert, effects } = await findOrBuild(context, sent);
    const { before } = upsert;
    const bare = before ? { ...before, address: undefined, metadata: {} } : upsert.after;
    const after = applyData(context, bare, { ...blank, ...others, birthdate }, '');
    const schema = context.project.schemas('customer');
    if (before) checkBySchema(schema, after.metadata, { place: 'metadata', before: before.metadata });
    const all = [...writeUpsert(context, { before, after }, readOccasion(context)), ...effects];
    return (await commit(context.table, all)) ? true : again;
  });
}

/** Drops the time that an import may add to a date of birth. */
function dropTime(cell: string): string {
  return cell.replace(/T\d{2}(?::\d{2}(?::\d{2}(?:(?:\.\d{3})?Z)?)?)?$/, '');
}

const addressColumns = addressFields.flatMap((name) => {
  const field = `address.${name}`;
  return [[`address_${name}`, field], ...(name.startsWith('line') ? [] : [[name, field]])];
});

const figureColumns = [
  ...redemptionTotalNames.map((name) => [`redemptions_${name}`, `redemptions.${name}`]),
  ...[...orderAmounts, 'total_count', 'last_order_date'].map((name) => [`orders_${name}`, `orders.${name}`]),
  ['loyalty_referred_customers', 'loyalty.referred_customers'],
];

const counts = [
  ...redemptionTotalNames.map((name) => `redemptions.${name}`),
  'orders.total_count',
  'loyalty.referred_customers',
];

export const customersCsv = csvBulk({
  type: 'CUSTOMERS.IMPORT_CSV',
  columns: {
    ...nameColumns('id', 'source_id', 'name', 'email', 'phone', 'birthday', 'birthdate', 'description'),
    ...nameColumns('created_at', 'updated_at'),
    ...Object.fromEntries([...addressColumns, ...figureColumns]),
  },
  // The cards of the customer decide the points.
  derived: ['loyalty_points'],
  needs: ['source_id', 'id'],
  mayHaveSpaces: false,
  values: {
    birthday: dropTime,
    birthdate: dropTime,
    ...Object.fromEntries(orderAmounts.map((name) => [`orders.${name}`, parseMinorUnits])),
    ...Object.fromEntries(counts.map((field) => [field, parseWholeNumber])),
  },
  body: row,
  schemas: ['customer'],
  run: overwrite,
});
