import type { Attributes } from './item.ts';
import { type IndexName, type Key, nothingThere, tableShape } from './keys.ts';
import type { WriteResults } from './transaction.ts';

export interface Change {
  /** UpdateExpression, with `#name` and `:value` placeholders. */
  set: string;
  /** ConditionExpression. An empty one always holds. */
  condition: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

/** The item after the change, or the stored item that shows why the condition failed. */
export type ChangeOutcome = { done: true; item: Attributes } | { done: false; item: Attributes | undefined };

/** DynamoDB accepts 25 statements per BatchExecuteStatement. */
export const insertManyLimit = 25;
/** One part of a transaction. An insert needs a free key, or the tombstone that `over` describes. */
export type Write =
  | { key: Key; insert: Attributes; over?: Condition }
  | { key: Key; replace: Attributes; when: Condition }
  | { key: Key; change: Change }
  | { key: Key; remove: Condition }
  | { key: Key; check: Condition };

/** A new item. Its key may be in use already. */
export interface Insertion {
  key: Key;
  item: Attributes;
}

/** A write that must be part of the request's transaction, and the error if its condition fails. */
export interface Companion {
  write: Write;
  refusal: (item: Attributes | undefined) => Error;
  /** Returns whether the stored item shows that this exact request was carried out. */
  tookEffect?: (item: Attributes | undefined) => boolean;
  committed?: () => void;
}

/** A condition without a change. */
export type Condition = Omit<Change, 'set'>;

/** Holds if an item has the key, deleted or not. */
export const whenAnyThere: Condition = {
  condition: 'attribute_exists(#partition)',
  names: { '#partition': tableShape.partitionKey },
  values: {},
};

/** Holds if no item has the key. */
export const whenNotThere: Condition = { condition: nothingThere, names: {}, values: {} };

/** Selects items of the whole table by the beginning of their partition keys, or by an attribute. */
export interface ScanPage {
  partitionPrefixes: readonly string[];
  attribute: readonly [name: string, value: string];
  /** The key that the page before ended with. */
  from?: Key | undefined;
}

/** Selects items of one partition, in the order of their sort keys. */
export interface Query {
  /** An index lags by a moment. Without an index, the table is read consistently. */
  index?: IndexName;
  partition: string;
  /** Bounds of the sort key, both included. Without bounds the whole partition is read. */
  from?: string;
  to?: string;
  descending?: boolean;
  /**
   * Attributes or paths (`listed.id`) to return. The read costs the same, but less is sent and parsed. Names consist of letters,
   * digits and underscores.
   */
  only?: readonly string[];
  /** Limits the items. Without a limit all are read, in several calls if necessary. */
  limit?: number;
  /** Limits the items of one call, for a walk that may stop early or keeps its items in memory. */
  atOnce?: number;
}

/** Success, or for each write whether its condition failed, and the stored item. */
export type TransactionOutcome =
  | { done: true }
  /** `isOpen`: an attempt has no answer, and nothing but the conditions keeps it from being carried out. */
  | { done: false; refused: WriteResults; isOpen?: boolean };
