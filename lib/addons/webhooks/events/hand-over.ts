import * as v from 'valibot';
import type { Queues } from '#kernel/kit/jobs/queues.ts';
import { readProjectId } from '#kernel/table/keys.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readChildren } from '#kernel/table/read.ts';
import type { ItemChange } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';
import { type FoundEvent, findEvents } from './find-events.ts';

/** Hands events over to their queue, if a webhook of their project has subscribed to them. */

const wanting = v.object({ active: v.optional(v.boolean(), true), events: v.array(v.string()) });

/** The webhooks of a project, as far as this reader knows them. */
const webhooks = childKind<typeof wanting, []>({ kind: kinds.webhooks }, kinds.webhook, wanting);

/** A pattern of IAM for the partition keys of all webhooks. */
export const webhookKeys = `*#${kinds.webhooks}`;

/** Reads the types that the project's webhooks ask for. Nothing keeps them, because a new webhook must miss no event. */
async function readWantedTypes(table: Table, projectId: string): Promise<ReadonlySet<string>> {
  const all = await readChildren(table, webhooks, projectId);
  return new Set(all.flatMap(({ active, events }) => (active ? events : [])));
}

export async function handOverEvents(
  changes: readonly ItemChange[],
  { queues, table }: { queues: Queues; table: Table },
): Promise<void> {
  const found = Map.groupBy(findEvents(changes), ({ key }) => readProjectId(key));
  const wanted: FoundEvent[] = [];
  for (const [projectId, events] of found) {
    const types = await readWantedTypes(table, projectId);
    wanted.push(...events.filter(({ type }) => types.has(type)));
  }
  if (wanted.length === 0) return;
  await queues.send(
    'events',
    wanted.map(({ key, ...event }) => ({ key, more: { event } })),
  );
}
