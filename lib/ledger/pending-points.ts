import * as v from 'valibot';
import { dateTime, integer } from '../schema.ts';
import type { Write } from '../table/command.ts';
import type { Attributes } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';
import { childKind } from '../table/kind.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { cards } from './card.ts';

/** As stored, beside the card. */
export const pendingPointsItem = v.object({
  id: v.string(),
  voucher_id: v.string(),
  points: integer,
  state: v.picklist(['PENDING', 'ACTIVATED', 'CANCELED']),
  /** Absent where a project file brought them: those wait for an operator. */
  created_at: v.optional(dateTime),
  /** When they become points of the card by themselves. */
  activates_at: v.optional(dateTime),
  earning_rule_id: v.optional(v.string()),
  event: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
});

export const pendingPoints = childKind(cards, 'PENDING_POINTS', pendingPointsItem);

export type PendingPointsItem = v.InferOutput<typeof pendingPointsItem>;

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
