import * as v from 'valibot';
import { type Key, ownerKey, readKinds, readProjectId, stripKey } from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { consumer, differIn, type ItemChange } from '#kernel/table/stream.ts';

const customers = kind(kinds.customer, v.unknown());

/** Attributes that change without any change of the customer. */
const passedOver = new Set(['activities', 'entries', 'expiresAt']);

/** Returns whether the item is new, or another attribute has changed. A removed item has no subject. */
function isChanged({ before, after }: ItemChange): boolean {
  const names = Object.keys({ ...before, ...after }).filter((name) => !passedOver.has(name));
  return after !== undefined && differIn({ before, after }, names);
}

const readItself = (change: ItemChange): Key[] => (isChanged(change) ? [stripKey(change.key)] : []);

/** Returns an entry or activity of a card that may tell of a move between tiers. */
function readMove({ key, before, after }: ItemChange): Key[] {
  return isMove(key) && !before && after?.tier_round !== undefined ? [stripKey(key)] : [];
}

/**
 * Finds changes that may move a customer into or out of a segment. Returns the subject to examine: a customer, a segment or its part, a
 * location, or an entry of a card.
 */
export const segmentsConsumer = consumer<Key>('segments', {
  [kinds.customer]: readItself,
  [kinds.segment]: readItself,
  [kinds.segmentPart]: readItself,
  [kinds.location]: readItself,
  [kinds.heldCard]: ({ key }) => [ownerKey(key)],
  [kinds.voucher]: (change) => {
    const holder = change.after?.holder_id ?? undefined;
    return holder !== undefined && isChanged(change) ? [stripKey(customers(readProjectId(change.key), holder))] : [];
  },
  [kinds.ledger]: readMove,
  [kinds.activity]: readMove,
});

const isA = (name: string) => (key: Key) => readKinds(key).kind === name;

export const isCustomer = isA(kinds.customer);
export const isSegment = isA(kinds.segment);
export const isPart = isA(kinds.segmentPart);
export const isLocation = isA(kinds.location);

/** Returns whether the item is an entry or activity of a card. */
export function isMove(key: Key): boolean {
  const { kind: own, owner } = readKinds(key);
  return owner === kinds.voucher && (own === kinds.ledger || own === kinds.activity);
}
