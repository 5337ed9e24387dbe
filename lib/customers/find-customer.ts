import * as v from 'valibot';
import { type Attributes, parseStored, type Table } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import type { Programme } from '../loyalty/card.ts';
import { findProgrammes } from '../loyalty/programme.ts';
import type { Project } from '../projects/project.ts';
import { customerAndCards, keyOf, keys, keyText } from '../table.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';
import { type CustomerItem, customerItem, customerSourceItem } from './customer.ts';

export interface Context {
  table: Table;
  project: Project;
  now: Date;
  /** Where this API is reached, without a slash at the end. */
  baseUrl: string;
}

type TableContext = Pick<Context, 'table' | 'project'>;
type ReadContext = Pick<Context, 'table' | 'project' | 'now'>;

export interface FoundCustomer {
  item: CustomerItem;
  /** The loyalty and gift cards that he holds. */
  cards: VoucherItem[];
  /** Those of his loyalty cards, by campaign: they tell in which tier he is today, which his cards may not know yet. */
  programmes: ReadonlyMap<string, Programme>;
}

const heldCardItem = v.object({ voucher_id: v.string() });

/** The customer's item alone, by id or source id, the id winning (ruling C.5). */
export async function findCustomerItem(
  { table, project }: TableContext,
  idOrSourceId: string,
): Promise<CustomerItem | undefined> {
  const [byId, source] = await table.getMany([
    keys.customer(project.id, idOrSourceId),
    keys.customerSource(project.id, idOrSourceId),
  ]);
  if (byId) return parseStored(customerItem, byId);
  const id = source && parseStored(customerSourceItem, source).customer_id;
  return id === undefined ? undefined : table.get(keys.customer(project.id, id), customerItem);
}

export function findCustomerById({ table, project }: TableContext, id: string): Promise<CustomerItem | undefined> {
  return table.get(keys.customer(project.id, id), customerItem);
}

export async function findCustomerBySource(context: TableContext, sourceId: string): Promise<CustomerItem | undefined> {
  const claim = await context.table.get(keys.customerSource(context.project.id, sourceId), customerSourceItem);
  return claim && findCustomerById(context, claim.customer_id);
}

/** The customer's item stands right before what names his cards, so that one query reads both. */
async function read(context: ReadContext, id: string): Promise<FoundCustomer | undefined> {
  const { table, project } = context;
  const [first, ...held] = await table.query(customerAndCards(project.id, id));
  if (!first || keyText(keyOf(first)) !== keyText(keys.customer(project.id, id))) return undefined;
  const cards = await cardsOf(context, held);
  const campaignIds = cards.filter(({ type }) => type === 'LOYALTY_CARD').map(({ campaign_id }) => campaign_id);
  return { item: parseStored(customerItem, first), cards, programmes: await findProgrammes(context, campaignIds) };
}

async function cardsOf({ table, project }: TableContext, held: readonly Attributes[]): Promise<VoucherItem[]> {
  if (held.length === 0) return [];
  const wanted = held.map((item) => keys.voucher(project.id, parseStored(heldCardItem, item).voucher_id));
  return (await table.getMany(wanted)).flatMap((item) => (item ? [parseStored(voucherItem, item)] : []));
}

/** With the cards that he holds, by id or source id; 404 where there is none. */
export async function findCustomer(context: ReadContext, idOrSourceId: string): Promise<FoundCustomer> {
  const { table, project } = context;
  const [byId, source] = await Promise.all([
    read(context, idOrSourceId),
    table.get(keys.customerSource(project.id, idOrSourceId), customerSourceItem),
  ]);
  const found = byId ?? (source && (await read(context, source.customer_id)));
  if (!found) throw notFound('customer', idOrSourceId);
  return found;
}
