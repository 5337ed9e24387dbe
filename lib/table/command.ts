import type { Attributes } from './item.ts';
import { type IndexName, type Key, nothingThere } from './keys.ts';
import type { Refusal } from './transaction.ts';

export interface Change {
  /** UpdateExpression, with `#name` and `:value` placeholders. */
  set: string;
  /** ConditionExpression; the change is refused when it does not hold. Empty: it always holds. */
  condition: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

/** `done` with the item as it now is; else the item as it stands, by which the caller tells why the condition failed. */
export type ChangeOutcome = { done: true; item: Attributes } | { done: false; item: Attributes | undefined };

/** DynamoDB takes 25 statements a BatchExecuteStatement. */
export const insertManyLimit = 25;
/** One part of a transaction. */
export type Write =
  | { key: Key; insert: Attributes }
  | { key: Key; change: Change }
  | { key: Key; remove: Condition }
  | { key: Key; check: Condition };

/** A new item, for a key that may be taken. */
export interface Insertion {
  key: Key;
  item: Attributes;
}

/** What a request's effect must be written together with, and the error where that part is refused. */
export interface Companion {
  write: Write;
  refusal: (item: Attributes | undefined) => Error;
  committed?: () => void;
}

/** A condition without a change. */
export type Condition = Omit<Change, 'set'>;

/** That there is no item under the key. */
export const whenNotThere: Condition = { condition: nothingThere, names: {}, values: {} };

/** Items of one partition, in the order of their sort key. */
export interface Query {
  /** Indexes lag behind by a moment; the table reads consistently. */
  index?: IndexName;
  partition: string;
  /** Bounds of the sort key, both included; without either, the whole partition. */
  from?: string;
  to?: string;
  descending?: boolean;
  /**
   * Only these attributes of the items, or what is at these paths (`listed.id`); what is read costs the same, what is sent and
   * parsed is less. Names are our own, of letters, digits and underscores.
   */
  only?: readonly string[];
  /** At most so many items; without it, all of them, in as many calls as that takes. */
  limit?: number;
  /** At most so many in one call, for a walk that may stop early or holds what it reads. */
  atOnce?: number;
}

/** `done`, or for each part whether its condition held and what is there instead. */
export type TransactionOutcome = { done: true } | { done: false; refused: Refusal };
