import * as v from 'valibot';
import { type Key, keyText, ownerKey, readKinds, readProjectId, stripKey, tableShape } from '#kernel/table/keys.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type RecordPattern, recordKey, type StreamRecord } from '#kernel/table/stream.ts';
import type { Message } from './queues.ts';

/**
 * Finds changes that may move a customer into or out of a segment. It uses names of kinds alone, because the stream's worker has no
 * schemas.
 */

const customers = kind(kinds.customer, v.unknown());
const heldCards = childKind(customers, kinds.heldCard, v.unknown());
const segments = childKind({ kind: kinds.segments }, kinds.segment, v.unknown());
const parts = childKind(segments, kinds.segmentPart, v.unknown());
const locations = childKind({ kind: kinds.locations }, kinds.location, v.unknown());

/** Children of a card that may tell of a move between tiers. */
const ledger = childKind({ kind: kinds.voucher }, kinds.ledger, v.unknown());
const cardActivities = childKind({ kind: kinds.voucher }, kinds.activity, v.unknown());

const { sortKey } = tableShape;

export const changeFilters: readonly RecordPattern[] = [
  {
    dynamodb: {
      Keys: {
        [sortKey]: {
          S: [customers.kind, ...[heldCards, segments, parts, locations].map(({ prefix }) => ({ prefix }))],
        },
      },
    },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: { Keys: { [sortKey]: { S: [kinds.voucher] } }, NewImage: { holder_id: { S: [{ exists: true }] } } },
  },
  {
    eventName: ['INSERT'],
    dynamodb: {
      Keys: { [sortKey]: { S: [ledger, cardActivities].map(({ prefix }) => ({ prefix })) } },
      NewImage: { tier_round: { N: [{ exists: true }] } },
    },
  },
];

type Images = NonNullable<StreamRecord['dynamodb']>;

/** Attributes that change without any change of the customer. */
const passedOver = new Set(['activities', 'entries', 'expiresAt']);

function differs({ OldImage = {}, NewImage = {} }: Images): boolean {
  return [...new Set([...Object.keys(OldImage), ...Object.keys(NewImage)])].some(
    (name) => !passedOver.has(name) && JSON.stringify(OldImage[name]) !== JSON.stringify(NewImage[name]),
  );
}

/** Returns the subject to examine after a change: a customer, a segment or its part, a location, or an entry of a card. */
function subjectOf(record: StreamRecord): Key | undefined {
  const { eventName, dynamodb = {} } = record;
  const key = recordKey(record);
  const { kind: own } = readKinds(key);
  if (own === heldCards.kind) return ownerKey(key);
  if (isMove(key)) return eventName === 'INSERT' && dynamodb.NewImage?.tier_round ? key : undefined;
  if (eventName === 'REMOVE' || !differs(dynamodb)) return undefined;
  if ([customers, segments, parts, locations].some((one) => one.kind === own)) return key;
  const holder = own === kinds.voucher ? dynamodb.NewImage?.holder_id?.S : undefined;
  return holder === undefined ? undefined : stripKey(customers(readProjectId(key), holder));
}

/** Returns each subject once, for any number of records. */
export function findChanges(records: readonly StreamRecord[]): Message[] {
  const keys = records.map(subjectOf).filter((key) => key !== undefined);
  return [...new Map(keys.map((key) => [keyText(key), { key }])).values()];
}

const isA =
  ({ kind: name }: { kind: string }) =>
  (key: Key) =>
    readKinds(key).kind === name;

export const isCustomer = isA(customers);
export const isSegment = isA(segments);
export const isPart = isA(parts);
export const isLocation = isA(locations);

/** Returns whether the item is an entry or activity of a card. */
export function isMove(key: Key): boolean {
  const { kind: own, owner } = readKinds(key);
  return owner === kinds.voucher && [ledger, cardActivities].some((one) => one.kind === own);
}
