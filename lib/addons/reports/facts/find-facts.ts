import { describeFailure } from '#kernel/core/failure.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, readKinds, readProjectId } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { consume, type ItemChange, type NoteFault } from '#kernel/table/stream.ts';
import { isFence } from '#kernel/table/tombstone.ts';
import type { Fact } from './fact-tables.ts';
import { findEntryFacts, findMoveFacts } from './ledger-facts.ts';
import { findLotFacts } from './lot-facts.ts';
import { findPublicationFacts } from './publication-facts.ts';
import { findRedemptionFacts } from './redemption-facts.ts';
import { type FactSource, findStateFacts, type StateTable } from './state-facts.ts';

/**
 * Derives facts from changes, or from items of a scan. The same change always makes the same facts with
 * the same ids, so repeated, late and unordered changes are harmless.
 */

type Finder = (change: FactSource) => Fact[];

const ofState =
  (table: StateTable): Finder =>
  (change) =>
    findStateFacts(table, change);

/** Finds the facts of an event when its item is new. Facts read only attributes that never change. */
const ofEvent =
  (find: (project: string, item: Attributes) => Fact[]): Finder =>
  ({ project, before, after }) =>
    after && !before && after.deleted_at === undefined ? find(project, after) : [];

/** Finds the facts of a redemption, which changes when it is rolled back. Facts that it had before come again. */
const ofRedemption: Finder = ({ before, ...change }) =>
  ofEvent(findRedemptionFacts)({ ...change, before: change.after?.status === 'ROLLED_BACK' ? undefined : before });

const findersByKind: Readonly<Record<string, Finder>> = {
  [kinds.redemption]: ofRedemption,
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

/** Items name their project. The key of a project also names it. */
function readProjectOf(key: Key, item: Attributes | undefined): string {
  return typeof item?.project === 'string' ? item.project : readProjectId(key);
}

function findIn(key: Key, change: FactSource, note: NoteFault): Fact[] {
  const { kind, owner } = readKinds(key);
  // The list of all projects also has items of that kind, and none of them is a project.
  if (kind === kinds.project && owner !== kind) return [];
  try {
    return findersByKind[kind]?.(change) ?? [];
  } catch (error) {
    // One malformed item must not hold up the facts of all others.
    note({ kind, error: describeFailure(error) });
    return [];
  }
}

/** The changes that facts are derived from. */
export const factsConsumer = { name: 'facts', kinds: Object.keys(findersByKind) };

/** Returns the facts of changes, in their order. */
export function findFacts(changes: readonly ItemChange[], note: NoteFault): Fact[] {
  const read = ({ key, before, after, sequence, at, isCopy }: ItemChange) => {
    if (isCopy) return [];
    const version = sequence.padStart(versionDigits, '0');
    return findIn(key, { project: readProjectOf(key, after ?? before), before, after, version, at }, note);
  };
  return consume({ ...factsConsumer, read }, changes);
}

/** Returns the facts of an item as a scan reads it. Facts that the stream brought have the same ids, or later versions. */
export function findFactsOfItem(key: Key, item: Attributes, note: NoteFault): Fact[] {
  if (isFence(item)) return [];
  const project = readProjectOf(key, item);
  const at = new Date(typeof item.deleted_at === 'string' ? item.deleted_at : 0);
  const change = { project, before: undefined, after: item, version: versionOfScan, at };
  return findIn(key, change, note);
}
