import { randomBytes, randomInt } from 'node:crypto';
import * as v from 'valibot';
import { integer } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { tombstoneOf } from '#kernel/table/tombstone.ts';
import type { Update } from '#kernel/table/update.ts';

/** A number of uses, or of units of an amount, that one container has counted ahead, and the part that was used. */
export const blockItem = v.object({
  size: integer,
  used: v.optional(integer, 0),
  /** The attribute of the shared item that counts the uses. */
  attribute: v.string(),
  /** All attributes that one unit counts, with their amounts, unless one attribute counts 1. */
  by: v.optional(v.record(v.string(), v.number())),
  /** Marks a block of one use, which a request is about to commit. */
  is_single: v.optional(v.boolean(), false),
  until: v.string(),
});

export type StoredBlock = v.InferOutput<typeof blockItem>;

/** Returns the amounts that one unit of the block counts. */
export function readBlockUnit({
  by,
  attribute,
}: Pick<StoredBlock, 'by' | 'attribute'>): Readonly<Record<string, number>> {
  return by ?? { [attribute]: 1 };
}

const blocks = childKind<typeof blockItem, [of: string, partition: string]>(
  { kind: kinds.holdBlocks },
  kinds.holdBlock,
  blockItem,
);

/** Spreads blocks, because each redemption writes its block and DynamoDB writes one partition 1,000 times a second. */
const partitions = Array.from({ length: 16 }, (_, partition) => String(partition));

const prefix = 'block';

/** Makes an id that names the block's partition. It is never an id of a redemption. */
export function newBlockId(): string {
  return [prefix, randomInt(partitions.length), randomBytes(12).toString('base64url')].join('/');
}

export function isBlockId(id: string): boolean {
  return id.startsWith(`${prefix}/`);
}

/** Returns the key of a block of the shared item `of`. */
export function blockKey(projectId: string, of: Key, id: string): ItemKey<typeof blockItem> {
  return blocks(projectId, keyText(of), id.split('/')[1] ?? '', id);
}

/** A block as its container knows it. */
export interface Block {
  readonly key: ItemKey<typeof blockItem>;
  readonly of: ItemKey;
  /** The amounts that one unit counts on the shared item. */
  readonly by: Readonly<Record<string, number>>;
  /** The size in units. */
  readonly size: number;
  /** The block holds one use, because the limit has little room. No request recalls it, so its container gives it back. */
  readonly isSingle: boolean;
  /** The rest as the container knows it. The stored item decides. */
  left: number;
  /** The shared item after it counted the whole block. */
  readonly item: Attributes;
  readonly max: number | undefined;
  readonly takenAt: Date;
  /** True if the block was given back after the container reserved it. */
  isOver: boolean;
}

/**
 * Turns the block into a tombstone, which keeps its key from a late insert. Requires that it is none yet, so that a transaction which arrives
 * again is refused.
 */
export function buryBlock<U extends Update>(update: U, now: Date): U {
  return update.whenThere().setAll(tombstoneOf(now));
}

/** Returns the ranges of all blocks of an item. */
export function blockRanges(projectId: string, of: Key) {
  return partitions.map((partition) => blocks.all(projectId, keyText(of), partition));
}

/** Attributes of the shared item: the time to look for lapsed blocks, and the number of blocks ever taken. */
export const blocksUntil = 'blocks_until';
export const blocksTaken = 'blocks_taken';
/** Until this time one request recalls the rest of open blocks. */
export const recalledUntil = 'blocks_recalled_until';

/** Marks a contended item, so that containers begin with blocks, in a size that suited other containers. */
export const rushMark = 'rush';

const storedRush = v.object({ until: v.string(), size: integer });

export function readRush(item: Attributes | undefined, now: Date): v.InferOutput<typeof storedRush> | undefined {
  const mark = item?.[rushMark];
  if (mark === undefined) return undefined;
  const rush = v.parse(storedRush, mark);
  return rush.until > now.toISOString() ? rush : undefined;
}
