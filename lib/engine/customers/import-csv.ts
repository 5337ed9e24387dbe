import type * as v from 'valibot';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import { count, nullable, object } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type CellForm, readLocalDay } from '#kernel/kit/bulk/cell-form.ts';
import { type CsvWriting, csvBulk, nameColumns } from '#kernel/kit/bulk/csv-bulk.ts';
import {
  ageCells,
  importedAges,
  parseMinorUnits,
  parseStart,
  parseWholeNumber,
  readAges,
} from '#kernel/kit/bulk/csv-cells.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commit, type Effect } from '#kernel/table/effects.ts';
import { applyData, isCustomerChanged, newCustomer } from './change-customer.ts';
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

/** Refuses a row that names two customers: a spreadsheet has changed one of the names, or sorted one column alone. */
function checkNames({ id, source_id }: Row, known: CustomerItem): void {
  if (!source_id || !known.source_id || known.source_id === source_id) return;
  throw duplicate(id ?? '', 'belongs to a customer with another source_id: leave one of the two empty');
}

/** Finds the customer with this id, or else with this source id. An unknown id becomes the id of a new customer. */
async function findOrBuild(context: Writing, sent: Row): Promise<{ upsert: Upsert; effects: Effect[] }> {
  const { id, source_id } = sent;
  const known = id ? await findCustomerById(context, id) : undefined;
  if (known) checkNames(sent, known);
  if (known) return { upsert: { before: known, after: known }, effects: [] };
  const found = source_id ? await findUpserted(context, { source_id }, '') : undefined;
  if (found?.before) return { upsert: found, effects: [] };
  return { upsert: { before: undefined, after: buildNew(context, sent) }, effects: id ? checkFreeId(context, id) : [] };
}

/** Returns the stored customer without the metadata that the row clears. */
function clearMetadata({ clears }: CsvWriting, before: CustomerItem): CustomerItem {
  const kept = clears.metadata ? [] : Object.entries(before.metadata).filter(([key]) => !clears.keys.has(key));
  return { ...before, metadata: Object.fromEntries(kept) };
}

/** Drops the lines of an address that the row has cleared. */
function dropCleared(
  address: NonNullable<CustomerItem['address']>,
  sent: NonNullable<Row['address']>,
): CustomerItem['address'] {
  const cleared = new Set(Object.entries(sent).flatMap(([line, value]) => (value === null ? [line] : [])));
  const kept = Object.entries(address).filter(([line]) => !cleared.has(line));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Sets the fields for which the row has columns. An empty cell clears. */
function change(context: CsvWriting, sent: Row): Promise<true> {
  const { id: _, source_id: __, created_at, updated_at, redemptions, orders, loyalty, ...described } = sent;
  return retryOptimistically(context.table, async () => {
    const { upsert, effects } = await findOrBuild(context, sent);
    const { before } = upsert;
    const bare = before ? clearMetadata(context, before) : upsert.after;
    const applied = applyData(context, bare, readCustomerData(described), '');
    const { address } = applied;
    const after = address && sent.address ? { ...applied, address: dropCleared(address, sent.address) } : applied;
    const schema = context.project.schemas('customer');
    if (before) checkBySchema(schema, after.metadata, { place: 'metadata', before: before.metadata });
    const isChanged = before !== undefined && isCustomerChanged(before, after);
    context.tally({ created: before ? 0 : 1, changed: isChanged ? 1 : 0 });
    const all = [...writeUpsert(context, { before, after }, readOccasion(context)), ...effects];
    return (await commit(context.table, all)) ? true : again;
  });
}

/** Reads a date of birth, without the time that an import may add. */
function readDate(cell: string, _: string, form: CellForm): string {
  return readLocalDay(cell, form).replace(/T\d{2}(?::\d{2}(?::\d{2}(?:(?:\.\d{3})?Z)?)?)?$/, '');
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
  // The cards of the customer decide the points, and other columns repeat the whole figures.
  derived: ['loyalty_points', 'summary', 'loyalty', 'referrals', 'system_metadata'],
  needs: ['source_id', 'id'],
  mayHaveSpaces: false,
  values: {
    ...ageCells,
    birthday: readDate,
    birthdate: readDate,
    'orders.last_order_date': parseStart,
    ...Object.fromEntries(orderAmounts.map((name) => [`orders.${name}`, parseMinorUnits])),
    ...Object.fromEntries(counts.map((field) => [field, parseWholeNumber])),
  },
  clears: ['address'],
  body: row,
  schemas: ['customer'],
  run: change,
});
