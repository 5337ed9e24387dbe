import { order } from '#engine/checkout/orders/resource.ts';
import {
  placeRedemption,
  type RedemptionItem,
  redemptionLists,
  redemptions,
} from '#engine/checkout/redemptions/redemption.ts';
import { rewardRedemptions } from '#engine/checkout/rewards/reward-redemption.ts';
import { customers } from '#engine/customers/customer.ts';
import { moveCounter } from '#engine/rules/counter.ts';
import { expireCounter } from '#engine/rules/counts.ts';
import {
  campaignJoins,
  customerBounds,
  type PublicationItem,
  placePublication,
  publicationLists,
  publications,
} from '#engine/vouchers/publication.ts';
import { identifyPerson } from '#kernel/core/person.ts';
import { type Addition, additionKey, newAddition } from '#kernel/table/addition.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, type Effect, remove } from '#kernel/table/effects.ts';
import { type Entry, placeInList, walkList } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { takeBack } from '../erasure/erase-counters.ts';
import { moveUnheld } from './move-holdings.ts';
import { commitMove, type Moving, setAttributes } from './moving.ts';

/** Moves the records of a merged customer: orders, redemptions with the counts of limits, and publications. */

/**
 * Moves a count of a limit to the counter of the target. A missing counter, such as a counter of a past period, is not
 * made again.
 */
async function moveCounts(
  { context, from, to }: Moving,
  item: RedemptionItem,
): Promise<{ taken: Addition[] | undefined; effects: Effect[] }> {
  const { table, project, now } = context;
  const { target } = await read(table, { target: customers(project.id, to) });
  const person = target && identifyPerson(project, target);
  const moves = (item.taken ?? []).map((one) => ({ one, moved: moveCounter(one, { from, to, person }) }));
  const stored = await table.getMany(moves.flatMap(({ one, moved }) => (moved ? [additionKey(one)] : [])));
  let next = 0;
  const effects: Effect[] = [];
  const taken = moves.map(({ one, moved }) => {
    if (!moved) return one;
    const counter = stored[next++];
    const added = newAddition(moved.key, one.by);
    if (counter) {
      effects.push(...takeBack(one, counter, item));
      const by = item.status === 'SUCCEEDED' ? (one.by.count ?? 0) : 0;
      if (by !== 0) {
        effects.push(change(additionKey(added), (update) => expireCounter(update, moved.name, now).add('count', by)));
      }
    }
    return added;
  });
  return { taken: item.taken && taken, effects };
}

function moveRedemption(moving: Moving, id: string): Promise<true> {
  const { context, from, to } = moving;
  const { table, project } = context;
  const key = redemptions(project.id, id);
  return retryOptimistically(table, async () => {
    const { item } = await read(table, { item: key });
    if (item?.customer_id !== from) return true;
    const { taken, effects } = await moveCounts(moving, item);
    const rewarded = item.reward_given?.reward_redemption_id;
    const moved = change(key, (update) => {
      update.whenThere().whenStill('customer_id', from).whenStill('status', item.status).whenStill('taken', item.taken);
      setAttributes(update.set(['customer_id'], to), placeRedemption(project.id, { ...item, customer_id: to }));
      return taken ? update.set(['taken'], taken) : update;
    });
    const reward = rewarded === undefined ? undefined : rewardRedemptions(project.id, rewarded);
    const { given } = await read(table, { given: reward });
    const ofReward =
      reward && given?.customer_id === from
        ? [change(reward, (update) => update.whenStill('customer_id', from).set(['customer_id'], to))]
        : [];
    return commitMove(moving, [moved, ...effects, ...ofReward]);
  });
}

function moveOrder(moving: Moving, id: string): Promise<true> {
  const { context, from, to } = moving;
  const { table, project } = context;
  const key = order.many(project.id, id);
  return retryOptimistically(table, async () => {
    const [item] = await table.getMany([key]);
    if (!item || item.customer_id !== from || !order.ofEach) return true;
    const place = placeInList(order.ofEach.listing, [project.id, to], [String(item.created_at), id]);
    return commitMove(moving, [
      change(key, (update) =>
        setAttributes(
          update.whenThere().whenStill('customer_id', from).whenStill('revision', item.revision).add('revision', 1),
          { customer_id: to, ...place },
        ),
      ),
    ]);
  });
}

/** Makes a customer who joined a campaign once count as joined. */
function moveJoin({ context, from, to }: Moving, { id, campaign_id }: PublicationItem): Effect[] {
  if (!campaign_id) return [];
  const { project } = context;
  return [
    change(campaignJoins(project.id, campaign_id, to), (update) => update.setOnce('publication_id', id)),
    remove(campaignJoins(project.id, campaign_id, from), (update) => update),
  ];
}

function movePublication(moving: Moving, id: string): Promise<true> {
  const { context, from, to } = moving;
  const { table, project } = context;
  const key = publications(project.id, id);
  return retryOptimistically(table, async () => {
    const { item } = await read(table, { item: key });
    if (item?.customer_id !== from) return true;
    for (const one of item.vouchers) await moveUnheld(moving, one.id, item.created_at);
    const moved = { ...item, customer_id: to };
    return commitMove(moving, [
      change(key, (update) =>
        setAttributes(update.whenThere().whenStill('customer_id', from).set(['customer_id'], to), {
          ...placePublication(project.id, moved),
        }),
      ),
      ...(item.result === 'SUCCESS' ? moveJoin(moving, item) : []),
    ]);
  });
}

const atOnce = 10;

interface Walked {
  readonly walk: (moving: Moving) => AsyncGenerator<Entry>;
  readonly move: (moving: Moving, id: string) => Promise<true>;
}

const records: readonly Walked[] = [
  {
    walk: ({ context: { table, project }, from }) =>
      walkList(table, redemptionLists.customer_id, [project.id], customerBounds(from)),
    move: moveRedemption,
  },
  {
    walk: async function* ({ context: { table, project }, from }) {
      if (order.ofEach) yield* walkList(table, order.ofEach.listing, [project.id, from]);
    },
    move: moveOrder,
  },
  {
    walk: ({ context: { table, project }, from }) =>
      walkList(table, publicationLists.customer_id, [project.id], customerBounds(from)),
    move: movePublication,
  },
];

/** Moves all records. Returns the number of moves. `undefined`: the time is up. */
export async function moveRecords(moving: Moving): Promise<number | undefined> {
  let moved = 0;
  for (const { walk, move } of records) {
    for await (const batch of splitIntoBatches(walk(moving), atOnce)) {
      if (moving.isTimeUp()) return undefined;
      const ids = [...new Set(batch.map(({ listed }) => String(listed.id)))];
      await Promise.all(ids.map((id) => move(moving, id)));
      moved += batch.length;
    }
  }
  return moved;
}
