import { isDeepStrictEqual } from 'node:util';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { LateOutcome } from './ambiguous-write.ts';
import type { Write } from './command.ts';
import { prepareValues } from './command-input.ts';
import type { Connection } from './connection.ts';
import { type Attributes, unmarshallOptions } from './item.ts';
import { isDrawnKey, keyText, readKinds, stripKey } from './keys.ts';
import { type ItemKey, itemMarks } from './kind.ts';
import { kinds } from './kind-names.ts';
import { readRaw } from './reads.ts';
import { fenceOf, hasLapsed, whenFreeOrFenced } from './tombstone.ts';
import { replaceStored } from './writes.ts';

/**
 * Finds out whether a write without an answer was carried out, and keeps it from being carried out later. An attempt that was given up may
 * still arrive after its repetition was refused. A use case that then reads again and draws new ids would do everything twice.
 */

type Insert = Extract<Write, { insert: Attributes }>;

/** Records come first, because no other item says as clearly what was done. Jobs begin by their insert, so a tombstone would hide one. */
const order: readonly string[] = [kinds.redemption, kinds.publication, kinds.activity];

const rankOf = ({ key }: Pick<Insert, 'key'>) => {
  const rank = order.indexOf(readKinds(key).kind);
  return rank === -1 ? order.length : rank;
};

/** Returns the insert that only this attempt can have made. */
function ownRecord(inserts: readonly Insert[]): Insert | undefined {
  const drawn = inserts.filter((one) => isDrawnKey(one.key) && readKinds(one.key).kind !== kinds.job);
  return drawn.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

const isItemKey = (key: Insert['key']): key is ItemKey => 'schema' in key;

/** Puts a tombstone under the key of the attempt's own record. The attempt is committed if its record is found there. */
async function fence(connection: Connection, { key }: Insert): Promise<LateOutcome> {
  const tombstone = { ...(isItemKey(key) ? itemMarks(key) : {}), ...fenceOf(connection.now) };
  const outcome = await replaceStored(connection, key, tombstone, whenFreeOrFenced);
  if (outcome.done) return 'never';
  return hasLapsed(outcome.item) ? 'never' : 'committed';
}

/** Returns the item as the table has it. */
function asStored({ key, insert }: Insert): Attributes {
  const item = prepareValues({ ...insert, ...stripKey(key) });
  return unmarshall(marshall(item, { removeUndefinedValues: true }), unmarshallOptions);
}

/** Compares the inserts with the table. Another item under a key, such as the next entry of a ledger, refuses the write for ever. */
async function compare(connection: Connection, inserts: readonly Insert[]): Promise<LateOutcome> {
  if (inserts.length === 0) return 'open';
  const stored = await readRaw(
    connection,
    inserts.map(({ key }) => key),
  );
  const there = inserts.map((one) => [asStored(one), stored.get(keyText(one.key))] as const);
  if (there.some(([own, found]) => isDeepStrictEqual(own, found))) return 'committed';
  return there.some(([, found]) => found !== undefined) ? 'never' : 'open';
}

export function findOutcome(connection: Connection, writes: readonly Write[]): Promise<LateOutcome> {
  const inserts = writes.filter((write) => 'insert' in write);
  const own = ownRecord(inserts);
  return own ? fence(connection, own) : compare(connection, inserts);
}
