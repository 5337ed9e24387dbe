import { customers } from '#engine/customers/customer.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { check, commitApart, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';

/** Names a merged customer and its target, which gets all of its records. Each move is one transaction, and happens once. */
export interface Moving {
  readonly context: Reading;
  readonly from: string;
  readonly to: string;
  /** True if points may move to the other customer's card of the same programme. */
  readonly movesPoints: boolean;
  readonly isTimeUp: () => boolean;
}

/**
 * Signals that the target was deleted, or merged itself. The job looks again for the customer that the old names lead
 * to now.
 */
export class TargetGone extends Error {}

/** Commits a move if the target still exists. `again` means that another request was faster. */
export async function commitMove({ context, to }: Moving, effects: readonly Effect[]): Promise<true | Again> {
  const { table, project } = context;
  const key = customers(project.id, to);
  const isThere = check(key, (update) => update.whenThere());
  if (await commitApart(table, [isThere, ...effects])) return true;
  const { target } = await read(table, { target: key });
  if (!target) throw new TargetGone(`the customer ${to} was deleted or merged`);
  return again;
}

/** Sets attributes, and removes those that are `undefined`. */
export function setAttributes(update: Update, attributes: Attributes): Update {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) update.remove([name]);
    else update.set([name], value);
  }
  return update;
}
