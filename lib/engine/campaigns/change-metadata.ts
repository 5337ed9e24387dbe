import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { CompiledSchema } from '#kernel/core/metadata/check.ts';
import type { Update } from '#kernel/table/update.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** DynamoDB accepts expressions of at most 4 KB, and an expression names each field that it sets or removes. */
const maxFields = 80;

/**
 * Merges the sent metadata key by key, then removes the keys to unset. `null` clears everything first. Each field
 * changes separately, so that concurrent changes of different fields both survive. Too many fields are written as a
 * whole, on the condition that the metadata has not changed. The caller retries.
 */
export function mergeFields(
  update: Update<{ metadata?: unknown }>,
  stored: Metadata,
  {
    sent,
    unset = [],
    schema,
  }: {
    sent: Metadata | null | undefined;
    unset?: readonly string[] | null | undefined;
    schema: CompiledSchema | undefined;
  },
): void {
  const removed = new Set(unset);
  removed.delete('');
  const merged = mergeMetadata({ place: 'metadata', schema }, stored, sent, removed);
  const set = Object.entries(sent ?? {}).filter(([name]) => !removed.has(name));
  if (sent === null) {
    update.set(['metadata'], {});
  } else if (set.length + removed.size > maxFields) {
    update.whenStill('metadata', stored).set(['metadata'], merged);
  } else {
    for (const [name, value] of set) update.set(['metadata', name], value);
    for (const name of removed) update.remove(['metadata', name]);
  }
}
