import { randomBytes, randomInt } from 'node:crypto';
import * as v from 'valibot';
import { integer } from '../schema.ts';
import { type Key, keyText } from '../table/keys.ts';
import { childKind, type ItemKey } from '../table/kind.ts';

/** Uses that one container has counted ahead, and how many of them were used. */
export const blockItem = v.object({
  size: integer,
  used: v.optional(integer, 0),
  /** What counts them on the item that they are of. */
  attribute: v.string(),
  until: v.string(),
});

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
  return [prefix, randomInt(partitions.length), randomBytes(16).toString('base64url')].join('/');
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

/** Of the shared item: when it is time to look for blocks that have lapsed, and how many were ever taken. */
export const lookAt = 'blocks_until';
export const blocksTaken = 'blocks_taken';
