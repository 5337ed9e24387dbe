import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { activityTypes, readOccasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { identifier, object } from '#kernel/core/schema.ts';
import type { Starting } from '#kernel/http/context.ts';
import type { startedAction } from '#kernel/kit/bulk/job.ts';
import { bury } from '#kernel/kit/deletion/tombstone.ts';
import { newActionId, startAction } from '#kernel/kit/jobs/action.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { changeCustomer, customerLists, isCustomerChanged } from '../change-customer.ts';
import {
  type CustomerItem,
  customerItem,
  customerSources,
  customers,
  listMergedNames,
  type MergedCustomer,
} from '../customer.ts';
import { findCustomerItem, findHeldCards } from '../find-customer.ts';
import { addFigures, figureNames, fillGaps } from './merged-fields.ts';

export const mergeBody = object({
  from: described(
    identifier,
    'The id or source id of the customer that is merged. It leads to the other one afterwards.',
  ),
  move_points: described(
    v.optional(v.boolean(), false),
    'Moves the points of a card to the card of the other customer where both have one of a programme with `join_once`. The emptied card is switched off.',
  ),
});

type Body = v.InferOutput<typeof mergeBody>;

/** Each merged customer keeps up to two claims, which a single transaction moves if their customer is merged later. */
const maxMerged = 40;

const programmeOf = ({ type, campaign_id }: VoucherItem) =>
  type === 'LOYALTY_CARD' && campaign_id ? [campaign_id] : [];

/** Refuses two cards of a programme that a customer joins once, unless points may be moved. Pending points cannot be moved. */
async function checkCards(
  context: Starting,
  to: CustomerItem,
  from: CustomerItem,
  { move_points }: Body,
): Promise<void> {
  const [own, others] = await Promise.all([to, from].map(({ id }) => findHeldCards(context, id)));
  const held = new Set((own ?? []).flatMap(programmeOf));
  const both = (others ?? []).filter((card) => programmeOf(card).some((id) => held.has(id)));
  const terms = await readTerms(context, both.flatMap(programmeOf));
  const once = both.filter(({ campaign_id }) => terms.get(campaign_id ?? '')?.join_once);
  const names = (cards: readonly VoucherItem[]) => cards.map(({ code }) => code).join(', ');
  if (once.length > 0 && !move_points) {
    throw new ServiceError('cards_of_one_programme', {
      details: `${names(once)}: the other customer also has a card of its programme. Send move_points: true to move the points`,
      resource: { id: from.id, type: 'customer' },
    });
  }
  const pending = once.filter(({ pending_points }) => pending_points > 0);
  if (pending.length === 0) return;
  throw new ServiceError('cards_of_one_programme', {
    details: `${names(pending)} of ${from.id} has pending points, which cannot be moved: activate or cancel them first`,
    resource: { id: from.id, type: 'customer' },
  });
}

const pick = (stored: Attributes, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, stored[name]]));

/** Leaves a tombstone without personal data. The customer is never written from then on. */
function buryMerged(projectId: string, from: CustomerItem, to: CustomerItem, stored: Attributes, now: Date): Effect {
  return change(customers(projectId, from.id), (update) => {
    bury(update, Object.values(customerLists), now).set(['merged_into'], to.id);
    const lost = [...Object.keys(customerItem.entries), 'listed'].filter(
      (name) => name !== 'id' && name !== 'created_at',
    );
    return update
      .whenAllStill(pick(stored, ['revision', 'merged', ...figureNames]))
      .replaceAll(Object.fromEntries(lost.map((name) => [name, undefined])));
  });
}

/**
 * Lets every name of the merged customer, and of the customers merged into it earlier, lead to the remaining customer.
 */
function claimNames(projectId: string, from: CustomerItem, to: CustomerItem): Effect[] {
  const own = insert(customerSources(projectId, from.id), { customer_id: to.id, merged: true });
  const known = [...(from.source_id ? [from.source_id] : []), ...listMergedNames(from.merged)];
  const moved = [...new Set(known)].map((name) =>
    change(customerSources(projectId, name), (update) =>
      update.whenStill('customer_id', from.id).set(['customer_id'], to.id).set(['merged'], true),
    ),
  );
  return from.source_id === from.id ? moved : [own, ...moved];
}

/** Adds the fields and the history of the merged customer to the remaining customer. */
function addMerged(
  context: Starting,
  to: CustomerItem,
  from: CustomerItem,
  stored: Attributes,
  merged: MergedCustomer,
): Effect[] {
  const { project, now } = context;
  const after = fillGaps(to, from);
  const { added, set } = addFigures(to, from);
  const key = customers(project.id, to.id);
  const told = isCustomerChanged(to, after)
    ? recordActivity(project.id, to.id, readOccasion(context), { type: activityTypes.updated, data: {} })
    : [];
  return [
    // The customer changes like one that gets a card: of two simultaneous requests, one finds the other's.
    changeCustomer(project, { before: to, after, referrals: from.referred_in, getsCard: true }, now),
    change(key, (update) => {
      update
        .addAll(Object.fromEntries(added))
        .whenAllStill(pick(stored, Object.keys(set)))
        .setAll(set);
      const all = [...(to.merged ?? []), ...(from.merged ?? []), merged];
      return update.whenStill('merged', to.merged).set(['merged'], all);
    }),
    ...told,
  ];
}

function checkMergeable(to: CustomerItem, from: CustomerItem): void {
  const number = (to.merged?.length ?? 0) + (from.merged?.length ?? 0) + 1;
  if (number <= maxMerged) return;
  throw new ServiceError('invalid_payload', {
    details: `from: at most ${maxMerged} customers can be merged into one customer, and these would be ${number}`,
  });
}

/** Returns the action of an earlier merge of these two customers, or of the same request. */
function findEarlier(
  { id, source_id, merged = [] }: CustomerItem,
  body: Body,
  path: string,
): MergedCustomer | undefined {
  const names = [body.from, path].filter((name) => name !== id && name !== source_id);
  return merged.find((one) => names.some((name) => name === one.id || name === one.source_id));
}

/**
 * Merges a customer into another customer. A single transaction adds the figures, and lets the old names lead to the
 * other customer. The job moves vouchers, orders, activities and all other records. A repeated request answers the
 * action of the first.
 */
export async function startMerge(
  context: Starting,
  idOrSourceId: string,
  body: Body,
): Promise<v.InferOutput<typeof startedAction>> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const [to, from] = await Promise.all([
      findCustomerItem(context, idOrSourceId),
      findCustomerItem(context, body.from),
    ]);
    if (!to) throw notFound('customer', idOrSourceId);
    if (!from) throw notFound('customer', body.from);
    if (to.id === from.id) {
      const earlier = findEarlier(to, body, idOrSourceId);
      if (earlier) return { async_action_id: earlier.action_id };
      throw new ServiceError('invalid_payload', { details: 'from is the customer of the path: name another customer' });
    }
    checkMergeable(to, from);
    await checkCards(context, to, from, body);
    const stored = await table.getMany([customers(project.id, to.id), customers(project.id, from.id)]);
    const [ofTo, ofFrom] = stored;
    if (!ofTo || !ofFrom || ofTo.revision !== to.revision || ofFrom.revision !== from.revision) return again;
    // Figures move without a new revision, so every written value follows from the read whose values the write
    // requires.
    const [into, gone] = [parseStored(customerItem, ofTo), parseStored(customerItem, ofFrom)];
    const id = newActionId(now);
    const merged = { id: from.id, ...(from.source_id ? { source_id: from.source_id } : {}), action_id: id };
    const action = { id, kind: 'merge-customers', type: 'CUSTOMERS.MERGE', about: to.id, steps: 1 } as const;
    const started = startAction(context, action, { from: from.id, move_points: body.move_points });
    const done = await commit(table, [
      buryMerged(project.id, gone, into, ofFrom, now),
      ...addMerged(context, into, gone, ofTo, merged),
      ...claimNames(project.id, gone, into),
      insert(started.key, started.insert),
    ]).catch((error: unknown) => {
      throw explainItemSize(error, 'metadata would make the customer');
    });
    return done ? { async_action_id: id } : again;
  });
}
