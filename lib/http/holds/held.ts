import * as v from 'valibot';
import type { Attributes } from '../../table/item.ts';
import { type ItemKey, type Kind, kind } from '../../table/kind.ts';
import type { Update } from '../../table/update.ts';
import type { Reading } from '../context.ts';
import type { Project } from '../projects/project.ts';

/** What is held of an item that many share, ahead of the transaction that takes it for good. */
export interface Held {
  readonly key: ItemKey;
  /** Attributes that count, and by how much each goes up at once. */
  readonly by: Readonly<Record<string, number>>;
  /** Only while the attribute is at most so much afterwards. */
  readonly max?: { readonly attribute: string; readonly value: number };
  /** Whether so many more uses could be counted, by what was read. Without it, any number. */
  readonly hasRoom?: (uses: number) => boolean;
  /** Attributes that the hold takes off the item, only while they are as they were read; they come back when it is released. */
  readonly takes?: Attributes;
  /** How often all sessions of what contains the item were ended (`lib/http/holds/locks.ts`). */
  readonly endedAround?: number;
  /** The item as it was read, which tells how crowded it is. */
  readonly read?: Attributes | undefined;
  /** Further conditions. */
  readonly when?: (update: Update) => Update;
}

/** A use case that only looks after holds needs no more of its context. */
export type Holding = Pick<Reading, 'table' | 'now'> & { readonly project: Pick<Project, 'id'> };

/** By whose ids things are held: kept there once the transaction is through. */
export type Records = Kind<v.GenericSchema>;

/** Redemptions, for code that only asks whether one exists. */
export const redemptionRecords = kind('REDEMPTION', v.looseObject({}));

/** A function ends within 20 s, so that a hold which is older has nobody. Nothing depends on it: a transaction that comes later is refused. */
export const holdLifeInMs = 60_000;

/**
 * Counts the holds that stand on an item. A hold is a tenth of a KB and each write of the item costs a unit a KB, so few may stand there.
 * The others are items of their own (`block.ts`).
 */
export const standing = 'holds_standing';

const prefix = 'hold ';

export const holdName = (id: string) => prefix + id;

const storedHold = v.object({
  by: v.record(v.string(), v.number()),
  until: v.string(),
  took: v.optional(v.record(v.string(), v.unknown())),
});

export type StoredHold = v.InferOutput<typeof storedHold>;

export function newHold({ by, takes = {} }: Held, now: Date, lifeInMs: number): StoredHold {
  const until = new Date(now.getTime() + lifeInMs).toISOString();
  return { by: { ...by }, until, ...(Object.keys(takes).length > 0 ? { took: takes } : {}) };
}

/** Of an item as it is stored, by the id of what each is for. */
export function holdsOf(item: Attributes | undefined): Map<string, StoredHold> {
  const holds = Object.entries(item ?? {}).filter(([name]) => name.startsWith(prefix));
  return new Map(holds.map(([name, value]) => [name.slice(prefix.length), v.parse(storedHold, value)]));
}

/** Takes a hold off the item, with what it counted. Only while it is there: whoever else gives it back does it in this place. */
export function givenBack(
  update: Update,
  id: string,
  { by, took = {} }: Pick<Held, 'by'> & { took?: Attributes | undefined },
): Update {
  for (const [attribute, amount] of Object.entries(by)) update.add(attribute, -amount);
  for (const [name, value] of Object.entries(took)) update.set([name], value);
  return kept(update, id);
}

/** Takes a hold off the item, whose count stays. */
export function kept(update: Update, id: string): Update {
  return update
    .whenHas(holdName(id))
    .remove([holdName(id)])
    .add(standing, -1);
}
