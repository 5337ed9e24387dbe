import * as v from 'valibot';
import { dateTime, integer, nullable } from '../core/schema.ts';
import type { Write } from '../table/command.ts';
import { becomesDue } from '../table/due.ts';
import { change, type Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';
import { childKind } from '../table/kind.ts';
import { listIndexes, listing, placed, unplaced } from '../table/listing.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { cards } from './card.ts';
import { earnedWith } from './earned-by.ts';
import { pointsExpirationRules } from './points-expiration.ts';

/** As stored, beside the card. */
export const pendingPointsItem = v.object({
  id: v.string(),
  voucher_id: v.string(),
  /** That of the card. */
  campaign_id: nullable(v.string()),
  points: integer,
  state: v.picklist(['PENDING', 'ACTIVATED', 'CANCELED']),
  /** Absent where a project file brought them: those wait for an operator. */
  created_at: v.optional(dateTime),
  updated_at: v.optional(dateTime),
  /** When they become points of the card by themselves. */
  activates_at: v.optional(dateTime),
  earning_rule_id: v.optional(v.string()),
  /** What that rule is called to members. */
  banner: v.optional(v.string()),
  ...earnedWith,
  /** Of the rule that made them, where it has its own: they begin to count when these become points. */
  expiration_rules: v.optional(pointsExpirationRules),
  event: v.optional(v.string()),
  /** That of the activities of what made them. */
  group_id: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
});

export const pendingPoints = childKind(cards, 'PENDING_POINTS', pendingPointsItem);

export type PendingPointsItem = v.InferOutput<typeof pendingPointsItem>;

/** Those of all cards of a campaign, by their ids, while they are PENDING. */
export const pendingOfCampaign = listing(listIndexes.first, 'PENDING_POINTS_OF_CAMPAIGN', { shards: 8 });

/** What that list knows without reading them. */
export const listedPending = v.object({
  id: v.string(),
  voucher_id: v.string(),
  created_at: v.optional(v.string()),
});

/** The attributes by which they stand in it. */
export function pendingPlaces(projectId: string, item: PendingPointsItem): Attributes {
  const { id, campaign_id, state } = item;
  if (!campaign_id || state !== 'PENDING') return {};
  return { ...placed(pendingOfCampaign, [projectId, campaign_id], [id]), listed: v.parse(listedPending, item) };
}

/** They are PENDING no more, if they are as they were read. */
export function pendingEnds(
  projectId: string,
  { id, voucher_id, points }: PendingPointsItem,
  state: Exclude<PendingPointsItem['state'], 'PENDING'>,
  now: Date,
): Effect {
  const key = pendingPoints(projectId, voucher_id, id);
  return change(key, (update) => {
    becomesDue(update, key, undefined)
      .whenStill('state', 'PENDING')
      .whenStill('points', points)
      .set(['state'], state)
      .set(['updated_at'], now.toISOString());
    return Object.keys(unplaced(pendingOfCampaign)).reduce((all, name) => all.remove([name]), update);
  });
}

/** A transaction takes 100 items, of which one is the card. */
const removedAtOnce = 99;

/** Pending points below 1, which project files could bring once: a card that has them can't be shown. */
export function isNoPoints({ points }: Attributes): boolean {
  return typeof points !== 'number' || points < 1;
}

/** Removes from the card what is pending and is no points. */
export async function repairPendingPoints(table: Table, projectId: string, cardId: string): Promise<void> {
  for (;;) {
    const broken = (await table.query(pendingPoints.all(projectId, cardId))).filter(isNoPoints).slice(0, removedAtOnce);
    if (broken.length === 0) return;
    const pending = broken.reduce((sum, { state, points }) => sum + (state === 'PENDING' ? Number(points ?? 0) : 0), 0);
    const removed = broken.map((item): Write => {
      const still = new Update().whenStill('points', item.points).whenStill('state', item.state).build();
      return { key: keyOf(item), remove: still };
    });
    const card = new Update().whenThere().add('pending_points', -pending).build();
    await table.transact([{ key: cards(projectId, cardId), change: card }, ...removed]);
  }
}

/** Returns what an activity about pending points shows besides them: the order that earned them, and what is pending on the card. */
export function pendingData(
  card: { readonly id: string },
  { order }: Pick<PendingPointsItem, 'order'>,
  { change, total }: { readonly change: number; readonly total: number },
) {
  return {
    ...(order ? { order: { ...order, object: 'order' } } : {}),
    voucher_pending_points_balance: {
      points: change,
      total,
      object: 'balance',
      related_object: { type: 'voucher', id: card.id },
    },
  };
}
