import * as v from 'valibot';
import { bare, type Key, keyText, kinds, kindsOf, ownerOf, projectIdOf, tableShape } from '../../table/keys.ts';
import { childKind, kind } from '../../table/kind.ts';
import { keyOfRecord, type RecordPattern, type StreamRecord } from '../../table/stream.ts';
import type { Message } from './queues.ts';

/** Which changes of the table may make a customer enter or leave a segment. Names of kinds alone: the stream's worker has no schemas. */

const customers = kind('CUSTOMER', v.unknown());
const heldCards = childKind(customers, 'HELD_CARD', v.unknown());
const segments = childKind({ kind: 'SEGMENTS' }, 'SEGMENT', v.unknown());
const parts = childKind(segments, 'SEGMENT_PART', v.unknown());

/** Of a card, what may say that its member has moved between tiers. */
const ledger = childKind({ kind: kinds.voucher }, 'LEDGER', v.unknown());
const cardActivities = childKind({ kind: kinds.voucher }, 'ACTIVITY', v.unknown());

const { sortKey } = tableShape;

export const changeFilters: readonly RecordPattern[] = [
  {
    dynamodb: {
      Keys: {
        [sortKey]: {
          S: [customers.kind, ...[heldCards, segments, parts].map(({ prefix }) => ({ prefix }))],
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

/** What moves on an item without anything of the customer's being different. */
const passedOver = new Set(['activities', 'entries', 'expiresAt']);

function differs({ OldImage = {}, NewImage = {} }: Images): boolean {
  return [...new Set([...Object.keys(OldImage), ...Object.keys(NewImage)])].some(
    (name) => !passedOver.has(name) && JSON.stringify(OldImage[name]) !== JSON.stringify(NewImage[name]),
  );
}

/** What is to be looked at after the change: a customer, a new segment, a part of a static one. */
function subjectOf(record: StreamRecord): Key | undefined {
  const { eventName, dynamodb = {} } = record;
  const key = keyOfRecord(record);
  const { kind: own } = kindsOf(key);
  if (own === heldCards.kind) return ownerOf(key);
  if (isMove(key)) return eventName === 'INSERT' && dynamodb.NewImage?.tier_round ? key : undefined;
  if (eventName === 'REMOVE' || !differs(dynamodb)) return undefined;
  if ([customers, segments, parts].some((one) => one.kind === own)) return key;
  const holder = own === kinds.voucher ? dynamodb.NewImage?.holder_id?.S : undefined;
  return holder === undefined ? undefined : bare(customers(projectIdOf(key), holder));
}

/** Each once, however many records are about it. */
export function changesIn(records: readonly StreamRecord[]): Message[] {
  const keys = records.map(subjectOf).filter((key) => key !== undefined);
  return [...new Map(keys.map((key) => [keyText(key), { key }])).values()];
}

const isA =
  ({ kind: name }: { kind: string }) =>
  (key: Key) =>
    kindsOf(key).kind === name;

export const isCustomer = isA(customers);
export const isSegment = isA(segments);
export const isPart = isA(parts);

/** Whether it is an entry or activity of a card. */
export function isMove(key: Key): boolean {
  const { kind: own, owner } = kindsOf(key);
  return owner === kinds.voucher && [ledger, cardActivities].some((one) => one.kind === own);
}
