import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Update } from '#kernel/table/update.ts';

/** A hold on a shared item, taken ahead of the transaction that makes it final. */
export interface Hold {
  readonly key: ItemKey;
  /** The counted attributes, with the amount that each grows by. */
  readonly by: Readonly<Record<string, number>>;
  /** Requires that the attribute is at most `value` afterwards. */
  readonly max?: { readonly attribute: string; readonly value: number };
  /** Returns whether the item that was read has room for more uses. If absent, the uses are unlimited. */
  readonly hasRoom?: (uses: number) => boolean;
  /** Attributes that the hold removes if they are unchanged since the read. A release restores them. */
  readonly takes?: Attributes;
  /** Counts how often all sessions of the item's parent were ended (`lib/engine/holds/locks.ts`). */
  readonly endedAround?: number;
  /** The item that was read, which shows how crowded it is. */
  readonly read?: Attributes | undefined;
  /** Adds further conditions. */
  readonly when?: (update: Update) => Update;
}
