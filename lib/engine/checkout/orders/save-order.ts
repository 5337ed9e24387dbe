import { isDeepStrictEqual } from 'node:util';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import { writeUpsert } from '#engine/customers/upsert-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import type { ChangedCard } from '#engine/ledger/card.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import { noteEarned } from '#engine/loyalty/earned-points.ts';
import { isEmptyGain, mergeCardChanges } from '#engine/loyalty/earning/card-earnings.ts';
import { EarningAhead } from '#engine/loyalty/earning/earning-ahead.ts';
import { listEventCollections } from '#engine/loyalty/earning/earning-programmes.ts';
import { commitEarnings, computeHeldGains, findRewarding, settleGains } from '#engine/loyalty/earning/gains.ts';
import type { Converted } from '#engine/loyalty/referrals/conversion.ts';
import { addRewardPoints, hasNewCard, type Rewarded } from '#engine/loyalty/referrals/rewards.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { findItem, itemOr404, type Names, writeItem } from '#kernel/kit/resource/item.ts';
import { type Item, resourceKey } from '#kernel/kit/resource/shape.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, type Effect } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { shareDiscounts } from '../discount-shares.ts';
import { mergeLines } from './figures.ts';
import {
  addCollections,
  buildNextOrder,
  checkCurrency,
  checkLineMetadata,
  isEarningNow,
  isOrderChanged,
  isOrderKept,
  prepareLines,
} from './next-order.ts';
import { recordOrder } from './order-activities.ts';
import type { OrderBody } from './order-body.ts';
import { findPeople, type People, readPeopleIds } from './people.ts';
import { recounts } from './recount.ts';
import { type Order, type OrderItem, order, packItem, toOrder } from './resource.ts';

/** Packs changed lines. Both attributes for lines are written then, because the item may have either. */
function stored(before: OrderItem | undefined, after: OrderItem): [Item | undefined, Item] {
  if (!before) return [undefined, packItem(after)];
  return isDeepStrictEqual(before.items, after.items) ? [before, after] : [{ ...before, lines: '' }, packItem(after)];
}

/** Checks an unchanged order without a write, so that simultaneous equal requests do not conflict. */
function written(projectId: string, before: OrderItem | undefined, after: OrderItem): Effect[] {
  if (!before || !isOrderKept(before, after)) return writeItem(order, projectId, ...stored(before, after));
  const key = resourceKey(order, projectId, before);
  return [check(key, (update) => update.whenThere().whenStill('revision', before.revision))];
}

/** Returns the customer's earnings of the order. */
async function earned(
  context: Writing,
  ahead: EarningAhead,
  after: OrderItem,
  { customer, spent }: Pick<OrderChange, 'spent'> & Pick<People, 'customer'>,
) {
  if (!customer) return undefined;
  const { programmes } = ahead;
  const { id: customerId, metadata: customerMetadata, birthdate: customerBirthdate } = customer.after;
  const readAhead = customer.before && ahead.heldBy(customerId);
  if ((await programmes.campaignIds(orderPaid)).length === 0) return undefined;
  const held = await (readAhead ?? (customer.before ? findHeldCards(context, customerId) : []));
  const rewarding = await findRewarding(context, programmes, { event: orderPaid, held });
  if (rewarding.length === 0) return undefined;
  const items = await addCollections(context, after.items, listEventCollections(rewarding, orderPaid));
  const order = { ...after, items };
  const gainsWith = async (all: readonly VoucherItem[]) => {
    const cards = all.map((card) => spent.find(({ before }) => before.id === card.id)?.after ?? card);
    const occurrence = {
      event: orderPaid,
      metadata: {},
      customerMetadata,
      customerBirthdate,
      customerId,
      held: cards,
      order,
    };
    return { occurrence, gains: await computeHeldGains(context, programmes, occurrence) };
  };
  const found = await gainsWith(held);
  // A card that is made between two reads would only be seen if the first read came later.
  const isToBeSure = readAhead && found.gains.some(({ isNew }) => isNew);
  return isToBeSure ? gainsWith(await findHeldCards(context, customerId)) : found;
}

/** The origin of an order. An imported order happened elsewhere, earns nothing and makes no activity. */
interface Manner {
  readonly isImported: boolean;
}

/** An order before and after the request. */
export interface OrderChange {
  readonly before: OrderItem | undefined;
  readonly next: OrderItem;
  readonly people: People;
  /** The products that its lines store. */
  readonly stored: readonly Effect[];
  /** Cards from which the transaction takes points. The order's earnings on them are part of the same change. */
  readonly spent: readonly ChangedCard<VoucherItem>[];
  /** The redemption that saves the order. */
  readonly redemptionId?: string | undefined;
  /** True if the customer gets a card besides. */
  readonly getsCard?: boolean;
  /** The conversions by the customer's referrers. Their points are merged with the order's earnings. */
  readonly referred?: (Pick<Converted, 'referrals'> & { readonly rewarded: readonly Rewarded[] }) | undefined;
}

/**
 * Collects the effects of saving an order: the order, its customers and their figures, its earnings and activities. `again` means that
 * cards were settled first, and all must be read again.
 */
export async function orderEffects(
  context: Writing,
  ahead: EarningAhead,
  { before, next, people, stored, spent, getsCard: isGiven = false, referred, redemptionId }: OrderChange,
  occasion: Occasion,
  { isImported }: Manner = { isImported: false },
): Promise<{ after: OrderItem; effects: Effect[] } | Again> {
  const { project, now } = context;
  const differs = before === undefined || isOrderChanged(before, next);
  const changedAt = before && differs ? now.toISOString() : before?.updated_at;
  const saved = { ...next, ...(changedAt ? { updated_at: changedAt } : {}) };
  const isEarning = !isImported && isEarningNow(before, saved);
  const earning = isEarning ? await earned(context, ahead, saved, { ...people, spent }) : undefined;
  const earnings = earning?.gains ?? [];
  const notes = noteEarned(earnings, now);
  const after = notes.length > 0 ? { ...saved, earned: notes } : saved;
  const all = await addRewardPoints(context, ahead.programmes, earnings, referred?.rewarded ?? []);
  const gains = all.filter((gain) => !isEmptyGain(gain) || gain.isNew);
  if (await settleGains(context, gains)) return again;
  const { referrals = [] } = referred ?? {};
  const customerId = people.customer?.after.id ?? '';
  const getsCard = isGiven || hasNewCard(gains, customerId);
  const cause = earning?.occurrence ?? { event: orderPaid, order: after, customerId };
  const effects = [
    ...written(project.id, before, after),
    ...stored,
    ...(people.customer ? writeUpsert(context, people.customer, occasion, { referrals, getsCard }) : []),
    ...(people.referrer ? writeUpsert(context, people.referrer, occasion) : []),
    ...(await recounts(context, before, after, people)),
    ...(people.customer && differs && !isImported ? recordOrder(context, before, after, occasion, redemptionId) : []),
    ...mergeCardChanges(context, { gains, spent }, cause, occasion),
  ];
  return { after, effects };
}

/** Commits. Returns `again` if another request was faster, and all must be read again. */
async function attempt(
  context: Writing,
  ahead: EarningAhead,
  before: OrderItem | undefined,
  body: OrderBody,
  manner: Manner,
): Promise<Order | Again> {
  const { table, now } = context;
  const { schemas } = context.project;
  checkCurrency('currency', body.currency, context.project);
  const people = await findPeople(context, before, body);
  const prepared = body.items ? await prepareLines(context, body.items, { isStored: true }) : undefined;
  const lines = prepared && mergeLines(prepared.lines, before?.items);
  if (lines) checkLineMetadata(context, lines, { place: 'items', before: before?.items, isStored: true });
  const sent = { body, lines, people: readPeopleIds(people, before, body), schemas };
  const { order: next } = shareDiscounts(buildNextOrder(before, sent, now), before);
  const saving = { before, next, people, stored: prepared?.effects ?? [], spent: [] };
  const saved = await orderEffects(context, ahead, saving, readOccasion(context), manner);
  if (saved === again) return again;
  const done = await commitEarnings(table, saved.effects, {
    by: 'the earning rules for paid orders',
    size: 'metadata would make the order or its customer',
  });
  return done ? toOrder(saved.after) : again;
}

function save(
  context: Writing,
  body: OrderBody,
  read: () => Promise<Item | undefined>,
  manner: Manner = { isImported: false },
): Promise<Order> {
  const ahead = new EarningAhead(context);
  return retryOptimistically(context.table, async () => {
    const item = await read();
    return attempt(context, ahead, item && parseStored(order.stored, item), body, manner);
  });
}

function saveNamed(context: Writing, { id, ...body }: OrderBody, manner?: Manner): Promise<Order> {
  const names: Names = id ? { id } : body.source_id ? { source_id: body.source_id } : {};
  const read = async () => {
    const item = id || body.source_id ? await findItem(context, order, names) : undefined;
    if (id && !item) throw notFound('order', id);
    return item;
  };
  return save(context, body, read, manner);
}

/**
 * Changes the order that the body names, or creates an order. 404 for an unknown id, 409 for a source id of another
 * order, or errors of customers and cards. Of simultaneous requests with one source id, one creates the order and the
 * others change it.
 */
export function saveOrder(context: Writing, body: OrderBody): Promise<Order> {
  return saveNamed(context, body);
}

/** Saves an order without earnings and activities. */
export function importOrder(context: Writing, body: OrderBody): Promise<Order> {
  return saveNamed(context, body, { isImported: true });
}

/** Changes an order by id or source id. 404 if it is missing, or errors like `saveOrder`. */
export function saveNamedOrder(context: Writing, name: string, body: OrderBody): Promise<Order> {
  return save(context, body, () => itemOr404(context, order, name));
}
