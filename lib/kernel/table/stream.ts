import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { describeFailure } from '#kernel/core/failure.ts';
import { listFaultPaths } from '#kernel/core/issues.ts';
import { type ChangedItem, type ChangedKind, changeShapes, plainShape } from './change-shapes.ts';
import { type PackedItem, unpackItem } from './image.ts';
import { StoredItemError } from './item.ts';
import { type Key, readKinds, tableShape } from './keys.ts';
import { isFence } from './tombstone.ts';

/** A record of the table's stream, as Lambda delivers it. */
export type StreamRecord = DynamoDBRecord;

/** Names the attribute that says when an item was copied from a restored table (docs/operations.md#restore). */
export const copiedAt = 'copied_back_at';

export type FilterRule = string | { readonly prefix: string };
type Names = { readonly [name: string]: Names | readonly FilterRule[] };

/** A filter of an event source, in the used part of Lambda's syntax. Lambda filters by what a record has below `dynamodb`, and by nothing else. */
export interface FilterPattern {
  readonly dynamodb: Names;
}

/** Reads the table's stream and does the work that follows writes. DynamoDB allows two readers of a shard. */
export interface StreamReader {
  /** A record that no filter passes is not delivered. */
  readonly filters: readonly FilterPattern[];
  /** Throws if records were not handled. They are delivered again, possibly with others. */
  readonly process: (records: readonly StreamRecord[], shardId: string) => Promise<void>;
}

interface Sides<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** A change of an item, as a record of the stream reports it. A new item has no `before`, and a removed item has no `after`. */
export interface ItemChange<K extends string = string> extends Sides<ChangedItem<K>> {
  readonly kind: K;
  readonly key: Key;
  /** The time of the write, in whole seconds. */
  readonly at: Date;
  /** The number of the record, which grows within its shard. */
  readonly sequence: string;
  /** The change only copies an item back into a restored table (docs/operations.md#restore). The service did not make it. */
  readonly isCopy: boolean;
  /** The stored items. Unlike `before` and `after`, they may be tombstones that keep the key from late inserts. */
  readonly stored: Sides<ChangedItem<K>>;
  /** The items in a form that a message carries (`unpackItem`). */
  readonly packed: Sides<PackedItem>;
}

interface Logging {
  readonly clock: () => Date;
  readonly log: (line: string) => void;
}

/** Receives what is wrong with an item. */
export type NoteFault = (fault: { readonly kind: string; readonly error: unknown }) => void;

const shapes: ReadonlyMap<string, v.GenericSchema<unknown, ChangedItem>> = new Map(Object.entries(changeShapes));

/** Returns a receiver that writes a line of the log for each fault. */
export function logFaults(part: string, { clock, log }: Logging): NoteFault {
  return (fault) => log(JSON.stringify({ level: 'error', time: clock().toISOString(), part, ...fault }));
}

/** Parses an item. The log names an attribute of an unexpected type, which then counts as absent, so that one bad item stops no others. */
function parseImage(kind: string, image: PackedItem, note: NoteFault): ChangedItem {
  const item = unpackItem(image);
  const schema = shapes.get(kind) ?? plainShape;
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  note({
    kind,
    error: describeFailure(new StoredItemError(`stored item is malformed at ${listFaultPaths(issues)}`)),
  });
  const malformed = new Set(issues.map(({ path }) => path?.[0]?.key));
  return v.parse(schema, Object.fromEntries(Object.entries(item).filter(([name]) => !malformed.has(name))));
}

/** Returns the change of a record, or `undefined` if tombstones are all that changed. */
function readChange({ dynamodb = {} }: StreamRecord, note: NoteFault): ItemChange | undefined {
  const { Keys, OldImage, NewImage, SequenceNumber = '0', ApproximateCreationDateTime = 0 } = dynamodb;
  const part = (name: string) => Keys?.[name]?.S ?? '';
  const key = { pk: part(tableShape.partitionKey), sk: part(tableShape.sortKey) };
  const { kind } = readKinds(key);
  const read = (image: PackedItem | undefined) => image && parseImage(kind, image, note);
  const stored = { before: read(OldImage), after: read(NewImage) };
  const before = isFence(stored.before) ? undefined : stored.before;
  const after = isFence(stored.after) ? undefined : stored.after;
  if (!before && !after) return undefined;
  const copied = stored.after?.[copiedAt];
  return {
    kind,
    key,
    before,
    after,
    at: new Date(ApproximateCreationDateTime * 1_000),
    sequence: SequenceNumber,
    isCopy: typeof copied === 'string' && copied !== stored.before?.[copiedAt],
    stored,
    packed: { before: before && OldImage, after: after && NewImage },
  };
}

/** Reads each record once, for all consumers. A change of tombstones alone is left out. */
export function readChanges(records: readonly StreamRecord[], note: NoteFault): ItemChange[] {
  return records.flatMap((record) => readChange(record, note) ?? []);
}

/** Returns whether any of these attributes differ. */
export function differIn(
  { before, after }: Sides<Readonly<Record<string, unknown>>>,
  names: Iterable<string>,
): boolean {
  return [...names].some((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
}

/** Derives something from changes. The stream delivers changes of its kinds, and of others' kinds, which it does not get. */
export interface Consumer<T> {
  readonly name: string;
  readonly kinds: readonly string[];
  /** Returns the same for the same change, because a record may come again. */
  readonly read: (change: ItemChange) => readonly T[];
}

type Readers<T> = { readonly [K in ChangedKind]?: (change: ItemChange<K>) => readonly T[] };

/** It is a method because methods may accept less than their type says. `consumer` calls each only for changes of its kind. */
interface Reader<T> {
  read(change: ItemChange): readonly T[];
}

/** Declares a consumer by a reader for each kind. */
export function consumer<T>(name: string, readers: Readers<T>): Consumer<T> {
  const byKind: Readonly<Record<string, Reader<T>['read'] | undefined>> = readers;
  return { name, kinds: Object.keys(readers), read: (change) => byKind[change.kind]?.(change) ?? [] };
}

/** Returns what the consumer derives from the changes of its kinds, in their order. */
export function consume<T>({ kinds, read }: Pick<Consumer<T>, 'kinds' | 'read'>, changes: readonly ItemChange[]): T[] {
  return changes.flatMap((change) => (kinds.includes(change.kind) ? read(change) : []));
}

/** Returns the filters that pass all changes of the consumers' kinds. Only keys decide, because all else is the consumers' to decide. */
export function buildFilters(consumers: readonly Pick<Consumer<unknown>, 'kinds'>[]): readonly FilterPattern[] {
  const wanted = [...new Set(consumers.flatMap(({ kinds }) => kinds))].toSorted();
  const rules = wanted.flatMap((kind): FilterRule[] => [kind, { prefix: `${kind}#` }]);
  return [{ dynamodb: { Keys: { [tableShape.sortKey]: { S: rules } } } }];
}
