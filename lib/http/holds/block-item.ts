import { randomBytes, randomInt } from 'node:crypto';
import * as v from 'valibot';
import { integer } from '../../core/schema.ts';
import type { Attributes } from '../../table/item.ts';
import { type Key, keyText } from '../../table/keys.ts';
import { childKind, type ItemKey } from '../../table/kind.ts';

/** Uses, or units of an amount, that one container has counted ahead, and how many of them were used. */
export const blockItem = v.object({
  size: integer,
  used: v.optional(integer, 0),
  /** The attribute of the shared item that counts them. */
  attribute: v.string(),
  /** All attributes that one unit counts, and by how much, where it is not one attribute by 1. */
  by: v.optional(v.record(v.string(), v.number())),
  /** Marks a block of one use, which a request is about to commit. */
  is_single: v.optional(v.boolean(), false),
  until: v.string(),
});

export type StoredBlock = v.InferOutput<typeof blockItem>;

/** Returns what one unit of the block counts. */
export function unitOfBlock({
  by,
  attribute,
}: Pick<StoredBlock, 'by' | 'attribute'>): Readonly<Record<string, number>> {
  return by ?? { [attribute]: 1 };
}

const blocks = childKind<typeof blockItem, [of: string, partition: string]>(
  { kind: 'HOLD_BLOCKS' },
  'HOLD_BLOCK',
  blockItem,
);

/** Each redemption of a block writes it, and DynamoDB writes one partition 1,000 times a second. */
const partitions = Array.from({ length: 16 }, (_, partition) => String(partition));

const prefix = 'block';

/** It says where the block stands, and is no id of a redemption. */
export function newBlockId(): string {
  return [prefix, randomInt(partitions.length), randomBytes(12).toString('base64url')].join('/');
}

export function isBlockId(id: string): boolean {
  return id.startsWith(`${prefix}/`);
}

/** `of`: the item that many share. */
export function blockKey(projectId: string, of: Key, id: string): ItemKey<typeof blockItem> {
  return blocks(projectId, keyText(of), id.split('/')[1] ?? '', id);
}

/** Where all blocks of an item stand. */
export function blocksOf(projectId: string, of: Key) {
  return partitions.map((partition) => blocks.all(projectId, keyText(of), partition));
}

/** Attributes of the shared item: when to look for blocks that have lapsed, and how many were ever taken. */
export const lookAt = 'blocks_until';
export const blocksTaken = 'blocks_taken';
/** Until when a request takes back what open blocks have left. */
export const recalling = 'blocks_recalled_until';

/** The shared item keeps that it is crowded, so that containers begin with blocks, of a size that others have found right. */
export const rushMark = 'rush';

const storedRush = v.object({ until: v.string(), size: integer });

export function rushOf(item: Attributes | undefined, now: Date): v.InferOutput<typeof storedRush> | undefined {
  const mark = item?.[rushMark];
  if (mark === undefined) return undefined;
  const rush = v.parse(storedRush, mark);
  return rush.until > now.toISOString() ? rush : undefined;
}
