import type { UpdateExpression } from '../update-expression.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** DynamoDB takes an expression of 4 KB, which names each field that is set or removed by itself. */
const maxFields = 80;

/**
 * Merges what is sent into stored metadata key by key, then removes what is to be unset; `null` clears all of it first. Fields
 * by themselves, so that concurrent changes of different ones both survive; too many for that as a whole, and only while
 * the metadata is as it was read: the caller has to try again where it is not.
 */
export function changeMetadata(
  update: UpdateExpression,
  stored: Metadata,
  { sent, unset = [] }: { sent: Metadata | null | undefined; unset?: readonly string[] | null | undefined },
): void {
  const removed = new Set(unset);
  removed.delete('');
  const set = Object.entries(sent ?? {}).filter(([name]) => !removed.has(name));
  if (sent === null) {
    update.set(['metadata'], {});
  } else if (set.length + removed.size > maxFields) {
    const kept = Object.entries(stored).filter(([name]) => !removed.has(name));
    update.whenStill('metadata', stored).set(['metadata'], Object.fromEntries([...kept, ...set]));
  } else {
    for (const [name, value] of set) update.set(['metadata', name], value);
    for (const name of removed) update.remove(['metadata', name]);
  }
}
