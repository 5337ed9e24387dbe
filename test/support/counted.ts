import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { countRecords } from '#addons/upkeep/count-records.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';
import { changesOf } from './changes.ts';
import { itemsOf } from './outbox.ts';

/**
 * Makes the stream record of a write at its position in a shard. An item without a key is a product, or has the given
 * kind.
 */
export function changeRecord(
  sequence: number,
  { before, after }: { before?: Attributes; after?: Attributes },
): StreamRecord {
  const imageOf = (item: Attributes | undefined) =>
    item && (marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>);
  const {
    kind = 'PRODUCT',
    pk = `proj#${kind}#${sequence}`,
    sk = kind,
  } = { ...before, ...after } as Record<string, string>;
  return {
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      SequenceNumber: String(sequence),
      OldImage: imageOf(before),
      NewImage: imageOf(after),
    },
  };
}

/**
 * Counts what was redeemed and rolled back since the last call, as the stream does. It delivers a part first and then
 * everything to several simultaneous workers.
 */
export function countingRedemptions(projectId: string, table: Table): () => Promise<void> {
  const counted = new Set<unknown>();
  return async () => {
    const items = (await itemsOf(projectId, 'REDEMPTION')).filter(({ id }) => !counted.has(id));
    const shard = `shard-${counted.size}`;
    for (const { id } of items) counted.add(id);
    const records = items.map((after, index) => changeRecord(index + 1, { after }));
    await countRecords(table, shard, changesOf(records.slice(0, 1)));
    await Promise.all([1, 2].map(() => countRecords(table, shard, changesOf(records))));
  };
}

/** Counts new items in their lists, as the stream does after the writes. */
export function countAsTheStreamDoes(table: Table, items: Iterable<Attributes>): Promise<void> {
  const records = Array.from(items, (after, index) => changeRecord(index + 1, { after }));
  return countRecords(table, 'shard', changesOf(records));
}
