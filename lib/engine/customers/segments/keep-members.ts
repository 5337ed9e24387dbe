import { readAreas } from '#engine/catalogue/locations/location.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Queues } from '#kernel/kit/jobs/queues.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commitApart, type Effect, insert } from '#kernel/table/effects.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import { customers } from '../customer.ts';
import { readCustomers } from '../find-customer.ts';
import { buildSubject, compileSegment, listSegmentLocations } from './match-segments.ts';
import { memberAttributes, memberKey, type Segment, segment } from './segment.ts';

interface Person {
  readonly id: string;
  readonly created_at: string;
}

/**
 * Returns whether the customer was a member before the segment became active. A customer that was created later has
 * entered the segment.
 */
export function wasInBefore({ turning }: Pick<Segment, 'turning'>, { created_at }: Person): boolean {
  return turning !== undefined && Date.parse(created_at) <= Date.parse(turning);
}

/** An index shows a write almost always within a second. */
const indexLagInMs = 10_000;

/** Returns whether the list may still lack customers that were created before the segment became active. */
export function mayLackCustomers({ turning }: Segment, now: Date): boolean {
  return turning !== undefined && now.getTime() - Date.parse(turning) < indexLagInMs;
}

/** Stores the customer as a member of a segment that is still becoming active, without an activity. */
export function keepSilently(
  { project }: Pick<Reading, 'project'>,
  { id, created_at }: Person,
  { id: segment_id, type, turning }: Segment,
): Effect[] {
  const member = { customer_id: id, segment_id, type };
  return [
    insert(memberKey(project.id, member), memberAttributes(project.id, member, created_at)),
    check(customers(project.id, id), (update) => update.whenStill('id', id).whenStill('deleted_at', undefined)),
    check(segment.few(project.id, segment_id), (update) => update.whenStill('turning', turning)),
  ];
}

type Settling = Pick<Reading, 'table' | 'project' | 'now'> & { readonly queues: Queues };

/** One transaction keeps this many customers, with two items each. */
const keptAtOnce = 40;

/**
 * Stores the members of a segment that is becoming active, without activities. Each look comes after the write before
 * it. Hands over former members, and members that are new customers, to be followed.
 */
async function keepSome(context: Settling, turned: Segment, customerIds: readonly string[]): Promise<void> {
  const { table, project, now, queues } = context;
  const takes = compileSegment(turned);
  const areas = await readAreas(context, listSegmentLocations([turned]));
  await retryOptimistically(table, async () => {
    const [found, { stored, members }] = await Promise.all([
      readCustomers(context, customerIds),
      read(table, {
        stored: segment.few(project.id, turned.id),
        members: customerIds.map((customer_id) => memberKey(project.id, { customer_id, segment_id: turned.id })),
      }),
    ]);
    if (stored?.turning !== turned.turning) return true;
    const kept = new Set(members.flatMap((member) => member?.customer_id ?? []));
    const differing = found.filter((one) => takes(buildSubject(context, one), now, areas) !== kept.has(one.item.id));
    const before = differing.filter(({ item }) => !kept.has(item.id) && wasInBefore(turned, item));
    if (before.length > 0) {
      await commitApart(
        table,
        before.flatMap(({ item }) => keepSilently(context, item, turned)),
      );
      return again;
    }
    const keys = differing.map(({ item }) => ({ key: stripKey(customers(project.id, item.id)) }));
    if (keys.length > 0) await queues.send('segments', keys);
    return true;
  });
}

/** Does the same for any number of customers. */
export async function keepMembers(context: Settling, turned: Segment, customerIds: readonly string[]): Promise<void> {
  for await (const ids of splitIntoBatches(customerIds, keptAtOnce)) await keepSome(context, turned, ids);
}

/** Completes the activation: entries count from now on. */
export async function endTurn(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  { id, turning }: Segment,
): Promise<void> {
  const ended = change(segment.few(project.id, id), (update) =>
    update.whenThere().whenStill('turning', turning).remove(['turning']),
  );
  await commitApart(table, [ended]);
}
