import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { heldCards } from '#engine/vouchers/held-card.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf, keyText } from '#kernel/table/keys.ts';
import { readChildren, read as readItems } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import { type CustomerItem, customerSources, customers } from './customer.ts';

/**
 * Remembers the customer of a source id in this container. A request reads the customer directly, and checks the guess.
 */
const seen = new WeakMap<object, Map<string, string>>();
const maxSeen = 10_000;

type Where = Pick<Reading, 'table' | 'project'>;

function buildName({ table, project }: Where, sourceId: string): string {
  return [table.name, project.id, sourceId].join('\n');
}

export function guessCustomer(where: Where, sourceId: string): string | undefined {
  return seen.get(where.table.container)?.get(buildName(where, sourceId));
}

export function rememberCustomer(where: Where, sourceId: string, id: string): void {
  const known = seen.get(where.table.container) ?? new Map<string, string>();
  seen.set(where.table.container, known);
  if (known.size >= maxSeen) known.clear();
  known.set(buildName(where, sourceId), id);
}

export interface Context {
  table: Table;
  project: Project;
  now: Date;
  /** Holds the address of this API, without a slash at the end. */
  baseUrl: string;
}

type TableContext = Pick<Context, 'table' | 'project'>;
type ReadContext = Pick<Context, 'table' | 'project' | 'now'>;

export interface FoundCustomer {
  item: CustomerItem;
  /** Holds the loyalty and gift cards of the customer. */
  cards: VoucherItem[];
  /**
   * Maps campaigns to the programmes of the loyalty cards. They give the customer's tier today, which the cards may not
   * show yet.
   */
  programmes: ReadonlyMap<string, Programme>;
  /** Maps the ids of campaigns by which the customer referred others to their names. */
  referringNames: ReadonlyMap<string, string>;
}

/** Returns a customer that the request makes, as the next request will find it. */
export function asFound(item: CustomerItem): FoundCustomer {
  return { item, cards: [], programmes: new Map(), referringNames: new Map() };
}

/** Finds only the item of the customer, by id or source id. The id wins. */
export async function findCustomerItem(
  { table, project }: TableContext,
  idOrSourceId: string,
): Promise<CustomerItem | undefined> {
  const { byId, source } = await readItems(table, {
    byId: customers(project.id, idOrSourceId),
    source: customerSources(project.id, idOrSourceId),
  });
  return byId ?? (source && findCustomerById({ table, project }, source.customer_id));
}

/** Finds a customer by its id, or by the id of a customer that was merged into it. Only a missing customer costs a second call. */
export async function findCustomerById(
  { table, project }: TableContext,
  id: string,
): Promise<CustomerItem | undefined> {
  const item = await table.get(customers(project.id, id), customers.schema);
  if (item) return item;
  const claim = await table.get(customerSources(project.id, id), customerSources.schema);
  return claim?.merged ? table.get(customers(project.id, claim.customer_id), customers.schema) : undefined;
}

/** One round reads this many customers. */
const readAtOnce = 25;

/**
 * Reads a customer with the ids of the held cards. They are stored right after the customer, so that a single query
 * reads both.
 */
async function readWithCardIds({ table, project }: TableContext, id: string) {
  const [first, ...held] = await table.query({ ...heldCards.all(project.id, id), from: customers.kind });
  if (!first || keyText(keyOf(first)) !== keyText(customers(project.id, id))) return [];
  if (first.deleted_at !== undefined) return [];
  const cardIds = held.map((item) => parseStored(heldCards.schema, item).voucher_id);
  return [{ item: parseStored(customers.schema, first), cardIds }];
}

/** Finds programmes by the ids of their campaigns, among programmes that the request has read already. */
type FindProgrammes = (campaignIds: readonly string[]) => Promise<ReadonlyMap<string, Programme>>;

/** Reads the customers that exist, with their cards. Each customer costs a query, and the rest is read for all together. */
export async function readCustomers(
  context: ReadContext,
  ids: readonly string[],
  find: FindProgrammes = (wanted) => findProgrammes(context, wanted),
): Promise<FoundCustomer[]> {
  const found: Awaited<ReturnType<typeof readWithCardIds>> = [];
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const some = await Promise.all(ids.slice(at, at + readAtOnce).map((id) => readWithCardIds(context, id)));
    found.push(...some.flat());
  }
  const all = await readCards(
    context,
    found.flatMap(({ cardIds }) => cardIds),
  );
  const cards = new Map(all.map((card) => [card.id, card]));
  const campaignIds = all.filter(({ type }) => type === 'LOYALTY_CARD').map(({ campaign_id }) => campaign_id);
  const [programmes, referring] = await Promise.all([
    find(campaignIds.filter((id) => typeof id === 'string')),
    readTerms(
      context,
      found.flatMap(({ item }) => Object.keys(item.referred_by_campaign ?? {})),
    ),
  ]);
  const referringNames = new Map([...referring].map(([id, { name }]) => [id, name]));
  return found.map(({ item, cardIds }) => ({
    item,
    cards: cardIds.flatMap((id) => cards.get(id) ?? []),
    programmes,
    referringNames,
  }));
}

async function readCards({ table, project }: TableContext, ids: readonly string[]) {
  const { cards } = await readItems(table, { cards: ids.map((id) => vouchers(project.id, id)) });
  return cards.filter((card) => card !== undefined);
}

/** Returns the ids of the customer's loyalty and gift cards. */
export async function readHeldCardIds({ table, project }: TableContext, customerId: string): Promise<string[]> {
  const held = await readChildren(table, heldCards, project.id, customerId);
  return held.map(({ voucher_id }) => voucher_id);
}

/** Returns the customer's loyalty and gift cards, the earliest first. */
export async function findHeldCards(context: TableContext, customerId: string): Promise<VoucherItem[]> {
  return findCards(context, await readHeldCardIds(context, customerId));
}

/** Returns the cards that exist, the earliest first. */
export async function findCards(context: TableContext, ids: readonly string[]): Promise<VoucherItem[]> {
  const cards = await readCards(context, ids);
  const place = ({ created_at, code }: VoucherItem) => `${created_at} ${code}`;
  return cards.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Finds a customer with the held cards, by id or source id, or answers 404. */
export async function findCustomer(context: ReadContext, idOrSourceId: string): Promise<FoundCustomer> {
  const { table, project } = context;
  const [[byId], source] = await Promise.all([
    readCustomers(context, [idOrSourceId]),
    table.get(customerSources(project.id, idOrSourceId), customerSources.schema),
  ]);
  const found = byId ?? (source && (await readCustomers(context, [source.customer_id]))[0]);
  if (!found) throw notFound('customer', idOrSourceId);
  return found;
}
