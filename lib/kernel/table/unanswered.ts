import { isDeepStrictEqual } from 'node:util';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { LateOutcome } from './ambiguous-write.ts';
import type { Write } from './command.ts';
import { prepareValues } from './command-input.ts';
import type { Connection } from './connection.ts';
import { type Attributes, unmarshallOptions } from './item.ts';
import { hasDrawnKey, keyText, readDrawnId, readKinds, stripKey } from './keys.ts';
import { type ItemKey, itemMarks } from './kind.ts';
import { kinds } from './kind-names.ts';
import { readRaw } from './reads.ts';
import { fenceOf, hasLapsed, isFence, whenFreeOrFenced } from './tombstone.ts';
import { replaceStored } from './writes.ts';

/**
 * Finds out whether a write without an answer was carried out, and prevents that it is carried out later. An abandoned
 * attempt may still arrive after its repetition was refused. A use case that then reads again and draws new ids would
 * do everything twice.
 */

type Insert = Extract<Write, { insert: Attributes }>;

/**
 * Records come first, because no other item shows as clearly what was done. Jobs begin by their insert, so a tombstone
 * would hide a job.
 */
const order: readonly string[] = [kinds.redemption, kinds.publication, kinds.activity];

const rankOf = ({ key }: Pick<Insert, 'key'>) => {
  const rank = order.indexOf(readKinds(key).kind);
  return rank === -1 ? order.length : rank;
};

/** Returns the insert that only this attempt can have made. */
function ownRecord(inserts: readonly Insert[]): Insert | undefined {
  const drawn = inserts.filter((one) => hasDrawnKey(one.key, one.insert) && readKinds(one.key).kind !== kinds.job);
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

/** Returns whether the attempt has stored the item. Others may have changed an item with a drawn id since. */
function isStored(own: Attributes, found: Attributes): boolean {
  const id = readDrawnId(own);
  return id === undefined ? isDeepStrictEqual(own, found) : id === found.id;
}

/**
 * Compares the inserts with the table. Items with drawn ids decide, such as entries of a ledger, because another call
 * may have stored an equal claim. A different item under a key refuses the write permanently. A tombstone of a removed
 * item does not, because inserts replace it.
 */
async function compare(connection: Connection, inserts: readonly Insert[]): Promise<LateOutcome> {
  if (inserts.length === 0) return 'open';
  const stored = await readRaw(
    connection,
    inserts.map(({ key }) => key),
  );
  const there = inserts.flatMap((one) => {
    const found = stored.get(keyText(one.key));
    return found === undefined || isFence(found) ? [] : [{ own: asStored(one), found }];
  });
  const isDrawn = ({ insert }: Insert) => readDrawnId(insert) !== undefined;
  const deciding = inserts.some(isDrawn) ? there.filter(({ own }) => readDrawnId(own) !== undefined) : there;
  if (deciding.some(({ own, found }) => isStored(own, found))) return 'committed';
  return there.length > 0 ? 'never' : 'open';
}

export function findOutcome(connection: Connection, writes: readonly Write[]): Promise<LateOutcome> {
  const inserts = writes.filter((write) => 'insert' in write);
  const own = ownRecord(inserts);
  return own ? fence(connection, own) : compare(connection, inserts);
}
