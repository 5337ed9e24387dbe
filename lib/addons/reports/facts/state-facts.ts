import * as v from 'valibot';
import { count, dateTime, integer } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, readProjectId } from '#kernel/table/keys.ts';
import { type Fact, type FactRow, type FactTable, placeFact } from './fact-tables.ts';
import { computeTotal, paidFigures, sumDiscounts } from './paid.ts';

/** Describes objects that change. A change of a described column makes a fact with the whole state. */

/** A change of an item. */
export interface FactSource {
  readonly project: string;
  readonly before: Attributes | undefined;
  readonly after: Attributes | undefined;
  /** Orders the changes of one item. */
  readonly version: string;
  /** The time of the change. */
  readonly at: Date;
}

const name = v.nullish(v.string());
const time = v.optional(dateTime);
const readTime = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

const made = { id: v.string(), created_at: time, deleted_at: time };

type State<T extends FactTable> = Omit<FactRow<T>, 'fact_id' | 'version'>;

interface Gone {
  readonly isDeleted: boolean;
  readonly deletedAt: Date | undefined;
}

const order = v.object({
  ...made,
  status: v.string(),
  paid_at: time,
  ...paidFigures,
  customer_id: name,
  redemptions: v.optional(v.record(v.string(), v.looseObject({ rollback_id: name })), {}),
});

function readOrder(item: Attributes, { isDeleted }: Gone): State<'orders'> {
  const found = v.parse(order, item);
  const open = Object.values(found.redemptions).filter(({ rollback_id }) => !rollback_id);
  return {
    at_ms: readTime(found.created_at) ?? 0,
    order_id: found.id,
    status: found.status,
    paid_at_ms: readTime(found.paid_at),
    amount_minor: found.amount ?? null,
    discount_minor: sumDiscounts(found),
    total_minor: computeTotal(found),
    customer_id: found.customer_id ?? null,
    redemptions: open.length,
    is_deleted: isDeleted,
  };
}

const voucher = v.object({
  ...made,
  code: v.string(),
  type: v.string(),
  campaign_id: name,
  category_id: name,
  opening_balance: v.optional(count, 0),
  gift: v.nullish(v.object({ amount: v.optional(count) })),
  lots: v.optional(v.array(v.object({ points: count })), []),
});

function readVoucher(item: Attributes, { isDeleted, deletedAt }: Gone): State<'codes'> {
  const found = v.parse(voucher, item);
  return {
    at_ms: readTime(found.created_at) ?? 0,
    code_id: found.id,
    code: found.code,
    type: found.type,
    campaign_id: found.campaign_id ?? null,
    opening_points: found.opening_balance,
    gift_amount_minor: found.gift?.amount ?? null,
    is_deleted: isDeleted,
    deleted_at_ms: deletedAt?.getTime() ?? null,
    left_points: isDeleted ? found.lots.reduce((sum, { points }) => sum + points, 0) : 0,
    category_id: found.category_id ?? null,
  };
}

const pending = v.object({
  ...made,
  voucher_id: v.string(),
  campaign_id: name,
  state: v.string(),
  points: integer,
});

function readPending(item: Attributes, { isDeleted }: Gone): State<'pending_points'> {
  const found = v.parse(pending, item);
  return {
    at_ms: readTime(found.created_at) ?? 0,
    pending_points_id: found.id,
    card_id: found.voucher_id,
    campaign_id: found.campaign_id ?? null,
    state: isDeleted && found.state === 'PENDING' ? 'CANCELED' : found.state,
    points: found.points,
  };
}

function readCustomer(item: Attributes, { isDeleted }: Gone): State<'customers'> {
  const found = v.parse(v.object(made), item);
  return { at_ms: readTime(found.created_at) ?? 0, customer_id: found.id, is_deleted: isDeleted };
}

const titled = v.object({ ...made, name: v.string(), category_id: name, campaign_id: name, type: name });

function readCampaign(item: Attributes, { isDeleted }: Gone): State<'campaigns'> {
  const { id, created_at, name: title, category_id = null } = v.parse(titled, item);
  return { at_ms: readTime(created_at) ?? 0, campaign_id: id, name: title, category_id, is_deleted: isDeleted };
}

function readPromotionTier(item: Attributes, { isDeleted }: Gone): State<'promotion_tiers'> {
  const { id, created_at, campaign_id = null, category_id = null } = v.parse(titled, item);
  return { at_ms: readTime(created_at) ?? 0, promotion_tier_id: id, campaign_id, category_id, is_deleted: isDeleted };
}

function readCategory(item: Attributes, { isDeleted }: Gone): State<'categories'> {
  const { id, created_at, name: title } = v.parse(titled, item);
  return { at_ms: readTime(created_at) ?? 0, category_id: id, name: title, is_deleted: isDeleted };
}

function readSegment(item: Attributes, { isDeleted }: Gone): State<'segments'> {
  const { id, created_at, name: title, type = null } = v.parse(titled, item);
  return { at_ms: readTime(created_at) ?? 0, segment_id: id, name: title, type, is_deleted: isDeleted };
}

const member = v.object({
  segment_id: v.string(),
  customer_id: v.string(),
  listed: v.object({ created_at: dateTime }),
});

/** The time is the creation of the customer, which is the same whenever the customer enters again. */
function readMember(item: Attributes, { isDeleted }: Gone): State<'segment_members'> {
  const { segment_id, customer_id, listed } = v.parse(member, item);
  const member_id = `${segment_id}.${customer_id}`;
  return { at_ms: Date.parse(listed.created_at), member_id, segment_id, customer_id, is_deleted: isDeleted };
}

function readProject(item: Attributes): State<'projects'> {
  const { timezone } = v.parse(v.object({ timezone: v.optional(v.string(), 'UTC') }), item);
  return { at_ms: 0, project_id: readProjectId(keyOf(item)), timezone };
}

const readers = {
  projects: readProject,
  orders: readOrder,
  codes: readVoucher,
  pending_points: readPending,
  customers: readCustomer,
  campaigns: readCampaign,
  promotion_tiers: readPromotionTier,
  categories: readCategory,
  segments: readSegment,
  segment_members: readMember,
} as const satisfies { [T in FactTable]?: (item: Attributes, gone: Gone) => State<T> };

export type StateTable = keyof typeof readers;

const kept: Gone = { isDeleted: false, deletedAt: undefined };

function isBuried(item: Attributes | undefined): boolean {
  return item?.deleted_at !== undefined;
}

/** A state of any table. `readers` holds each to its own columns. */
type StateRow = Fact['row'] & { readonly at_ms: number | null };

function read(table: StateTable, item: Attributes, gone: Gone): StateRow {
  return readers[table](item, gone);
}

/** Returns the state that the item has, or had when it was deleted. */
function readState(table: StateTable, { before, after, at }: FactSource): StateRow | undefined {
  if (after && !isBuried(after)) return read(table, after, kept);
  const last = before && !isBuried(before) ? before : after;
  // The removal of a tombstone does not count as a second deletion.
  if (!last) return undefined;
  const buriedAt = typeof after?.deleted_at === 'string' ? new Date(after.deleted_at) : at;
  return read(table, last, { isDeleted: true, deletedAt: buriedAt });
}

/** Returns the new state of an object if a described column has changed. */
export function findStateFacts(table: StateTable, change: FactSource): Fact[] {
  const { project, before, version } = change;
  const state = readState(table, change);
  if (!state) return [];
  const old = before && !isBuried(before) ? read(table, before, kept) : undefined;
  if (old && JSON.stringify(old) === JSON.stringify(state)) return [];
  const { at_ms, ...more } = state;
  const id = String(Object.values(more)[0]);
  return [placeFact(table, project, { fact_id: `${id}.${at_ms}.${version}`, version, at_ms, ...more })];
}
