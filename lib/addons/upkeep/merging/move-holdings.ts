import * as v from 'valibot';
import { customers } from '#engine/customers/customer.ts';
import { memberAttributes, memberKey, members } from '#engine/customers/segments/segment.ts';
import { campaignActivityCounts } from '#engine/ledger/activities/record-activities.ts';
import { noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import { buildHolding, heldCards, heldVouchers, listedHolding } from '#engine/vouchers/held-card.ts';
import { buildRefereeHolding, refereeItem, referees } from '#engine/vouchers/referee.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { removeStoredChild, walkChildPages } from '#kernel/kit/deletion/children.ts';
import { retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { keyOf, keyText, readKinds } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';
import { findTwin, movePoints } from './move-points.ts';
import { commitMove, type Moving } from './moving.ts';

/**
 * Moves what is stored with a merged customer: vouchers, cards, referral codes, memberships in segments, and counts of
 * activities.
 */

type Child = Readonly<Record<string, unknown>>;

const listed = v.object({ listed: listedHolding });

/** Returns the effects that make the target the holder of the voucher, since the holding began. */
function moveHolder({ context, from, to }: Moving, card: VoucherItem, since: string): Effect[] {
  const { project, now } = context;
  const { key, item } = buildHolding(project.id, to, card, since);
  return [
    change(vouchers(project.id, card.id), (update) => {
      update.whenThere().whenStill('holder_id', from).set(['holder_id'], to);
      // A request that has read the card with the former holder must read it again.
      if (card.revision !== undefined || card.type !== 'DISCOUNT_VOUCHER') {
        update.whenStill('revision', card.revision).add('revision', 1);
      }
      return noteChange(update, project.id, card.id, now.toISOString());
    }),
    insert(key, item),
  ];
}

/** Moves the assignment of a referral code. A code that the target has already is assigned once. */
async function moveReferee({ context, to }: Moving, voucherId: string, refereeId: string): Promise<Effect[]> {
  const { table, project } = context;
  const key = referees(project.id, voucherId, refereeId);
  const { referee, there } = await read(table, { referee: key, there: heldVouchers(project.id, to, voucherId) });
  if (!referee) return [];
  if (there) return [remove(key, (update) => update.whenStill('id', refereeId))];
  const moved = buildRefereeHolding(project.id, { ...parseStored(refereeItem, referee), customer_id: to });
  return [
    change(key, (update) => update.whenStill('id', refereeId).set(['customer_id'], to)),
    insert(moved.key, moved.item),
  ];
}

async function moveHeld(moving: Moving, removal: Effect, holding: Attributes): Promise<true> {
  const { context, from } = moving;
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const { voucher_id, referee } = parseStored(heldCards.schema, holding);
    const [stored] = await table.getMany([keyOf(holding)]);
    if (!stored) return true;
    if (referee) return commitMove(moving, [removal, ...(await moveReferee(moving, voucher_id, referee))]);
    const { card } = await read(table, { card: vouchers(project.id, voucher_id) });
    if (card?.holder_id !== from) return commitMove(moving, [removal]);
    const twin = moving.movesPoints ? await findTwin(moving, card) : undefined;
    return twin
      ? movePoints(moving, { card, twin, removal })
      : commitMove(moving, [removal, ...moveHolder(moving, card, parseStored(listed, holding).listed.created_at)]);
  });
}

/** Moves a voucher of a large publication, whose holding no job has made yet. */
export function moveUnheld(moving: Moving, voucherId: string, since: string): Promise<true> {
  const { context, from } = moving;
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const { card } = await read(table, { card: vouchers(project.id, voucherId) });
    if (card?.holder_id !== from) return true;
    const own = [heldCards, heldVouchers].map((kind) => kind(project.id, from, voucherId));
    const holdings = own.map((key) => remove(key, (update) => update));
    return commitMove(moving, [...holdings, ...moveHolder(moving, card, since)]);
  });
}

/** Moves a membership without an activity: the target entered nothing. A filter decides again with the next change of the target. */
async function moveMember(moving: Moving, removal: Effect, stored: Child): Promise<true> {
  const { context, to } = moving;
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const member = { ...parseStored(members.schema, stored), customer_id: to };
    const key = memberKey(project.id, member);
    const { there, target } = await read(table, { there: key, target: customers(project.id, to) });
    const [left] = await table.getMany([keyOf(stored)]);
    if (!left) return true;
    const created_at = target?.created_at ?? '';
    const added = there ? [] : [insert(key, memberAttributes(project.id, member, created_at))];
    return commitMove(moving, [removal, ...added]);
  });
}

const counted = campaignActivityCounts.schema;

/** Adds the number of activities about a campaign. */
async function moveCount(moving: Moving, removal: Effect, stored: Child, campaignId: string): Promise<true> {
  const { context, to } = moving;
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const [left] = await table.getMany([keyOf(stored)]);
    if (!left) return true;
    const { activities } = parseStored(counted, left);
    const unchanged = remove(removal.key, (update: Update<typeof counted>) =>
      update.whenStill('activities', left.activities),
    );
    const added = change(campaignActivityCounts(project.id, to, campaignId), (update) =>
      update.add('activities', activities),
    );
    return commitMove(moving, [unchanged, added]);
  });
}

/** Returns the id at the end of a child's key. */
const lastId = (child: Child) => keyText(keyOf(child)).split('#').at(-1) ?? '';

/** Moves all children but activities, which stay at their place and move in lists. Returns the number of moves. `undefined`: the time is up. */
export async function moveHoldings(moving: Moving): Promise<number | undefined> {
  const { context, from, isTimeUp } = moving;
  const { table, project } = context;
  const parent = customers(project.id, from);
  let moved = 0;
  for await (const page of walkChildPages(table, parent)) {
    for (const item of page) {
      if (isTimeUp()) return undefined;
      const removal = removeStoredChild(parent, item);
      const { kind } = readKinds(keyOf(item));
      if (kind === heldCards.kind || kind === heldVouchers.kind) await moveHeld(moving, removal, item);
      else if (kind === members.kind) await moveMember(moving, removal, item);
      else if (kind === campaignActivityCounts.kind) await moveCount(moving, removal, item, lastId(item));
      else continue;
      moved += 1;
    }
  }
  return moved;
}
