import { describeFailure } from '#kernel/core/failure.ts';
import { readImage } from '#kernel/table/image.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, readKinds, readProjectId, tableShape } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  isOfCopy,
  leaveOutFences,
  type RecordPattern,
  recordKey,
  replacedFences,
  type StreamRecord,
} from '#kernel/table/stream.ts';
import { isFence } from '#kernel/table/tombstone.ts';
import type { Fact } from './fact-tables.ts';
import { findEntryFacts, findMoveFacts } from './ledger-facts.ts';
import { findLotFacts } from './lot-facts.ts';
import { findPublicationFacts } from './publication-facts.ts';
import { findRedemptionFacts } from './redemption-facts.ts';
import { findStateFacts, type ItemChange, type StateTable } from './state-facts.ts';

/**
 * Derives facts from records of the stream, or from items of a scan. The same change always makes the same facts with
 * the same ids, so repeated, late and unordered records are harmless.
 */

const ofState = (table: StateTable) => (change: ItemChange) => findStateFacts(table, change);

/** An event's item never changes in what facts read, so each of its records makes the same facts. */
const ofEvent = (find: (project: string, item: Attributes) => Fact[]) => (change: ItemChange) => {
  const { project, after } = change;
  return after && after.deleted_at === undefined ? find(project, after) : [];
};

type Finder = (change: ItemChange) => Fact[];

const findersByKind: Readonly<Record<string, Finder>> = {
  [kinds.redemption]: ofEvent(findRedemptionFacts),
  [kinds.ledger]: ofEvent(findEntryFacts),
  [kinds.activity]: ofEvent(findMoveFacts),
  [kinds.publication]: ofEvent(findPublicationFacts),
  [kinds.order]: ofState('orders'),
  [kinds.voucher]: (change) => [...findStateFacts('codes', change), ...findLotFacts(change)],
  [kinds.pendingPoints]: ofState('pending_points'),
  [kinds.customer]: ofState('customers'),
  [kinds.project]: ofState('projects'),
  [kinds.campaign]: ofState('campaigns'),
  [kinds.promotionTier]: ofState('promotion_tiers'),
  [kinds.category]: ofState('categories'),
  [kinds.segment]: ofState('segments'),
  [kinds.segmentMember]: ofState('segment_members'),
};

/** Sequence numbers have up to 40 digits. Filled up, they sort as texts. */
const versionDigits = 40;

/** The version of an item that a scan read. Every change in the stream is later, or says the same. */
const versionOfScan = '0'.repeat(versionDigits);

/** Items name their project. The key of a project names it, too. */
function readProjectOf(key: Key, item: Attributes | undefined): string {
  return typeof item?.project === 'string' ? item.project : readProjectId(key);
}

/** Receives what is wrong with an item that makes no facts. */
export type NoteFault = (fault: { readonly kind: string; readonly error: unknown }) => void;

function findIn(key: Key, change: ItemChange, note: NoteFault): Fact[] {
  const { kind } = readKinds(key);
  try {
    return findersByKind[kind]?.(change) ?? [];
  } catch (error) {
    // One malformed item must not hold up the facts of all others.
    note({ kind, error: describeFailure(error) });
    return [];
  }
}

/** Returns the facts of records, in their order. */
export function findFacts(records: readonly StreamRecord[], note: NoteFault): Fact[] {
  return leaveOutFences(records).flatMap((record) => {
    const { NewImage, OldImage, SequenceNumber = '', ApproximateCreationDateTime = 0 } = record.dynamodb ?? {};
    const key = recordKey(record);
    if (isOfCopy(record) || findersByKind[readKinds(key).kind] === undefined) return [];
    const [before, after] = [OldImage, NewImage].map((image) => image && readImage(image));
    const project = readProjectOf(key, after ?? before);
    const version = SequenceNumber.padStart(versionDigits, '0');
    const at = new Date(ApproximateCreationDateTime * 1_000);
    return findIn(key, { project, before, after, version, at }, note);
  });
}

/** Returns the facts of an item as a scan reads it. Facts that the stream brought have the same ids, or later versions. */
export function findFactsOfItem(key: Key, item: Attributes, note: NoteFault): Fact[] {
  if (isFence(item)) return [];
  const project = readProjectOf(key, item);
  const at = new Date(typeof item.deleted_at === 'string' ? item.deleted_at : 0);
  const change = { project, before: undefined, after: item, version: versionOfScan, at };
  return findIn(key, change, note);
}

const { sortKey } = tableShape;
const keysOf = (...rules: readonly (string | { prefix: string })[]) => ({ Keys: { [sortKey]: { S: rules } } });

/** Passes records that may make facts. */
export const factFilters: readonly RecordPattern[] = [
  replacedFences,
  {
    eventName: ['INSERT'],
    dynamodb: keysOf(
      kinds.redemption,
      kinds.publication,
      { prefix: `${kinds.ledger}#` },
      { prefix: `${kinds.activity}#` },
    ),
  },
  {
    eventName: ['MODIFY'],
    dynamodb: { ...keysOf(kinds.redemption), NewImage: { status: { S: ['ROLLED_BACK'] } } },
  },
  {
    dynamodb: keysOf(
      kinds.order,
      kinds.voucher,
      kinds.customer,
      kinds.project,
      kinds.campaign,
      kinds.promotionTier,
      { prefix: `${kinds.pendingPoints}#` },
      { prefix: `${kinds.category}#` },
      { prefix: `${kinds.segment}#` },
      { prefix: `${kinds.segmentMember}#` },
    ),
  },
];
