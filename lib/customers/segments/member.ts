import * as v from 'valibot';
import type { Reading } from '../../http/context.ts';
import { change, type Effect } from '../../table/effects.ts';
import { childKind, marks } from '../../table/kind.ts';
import { listIndexes, listing, placed } from '../../table/listing.ts';
import { read, readChildren } from '../../table/read.ts';
import { customers } from '../customer.ts';
import { type Segment, segmentType } from './segment.ts';

const memberItem = v.object({ customer_id: v.string(), segment_id: v.string(), type: segmentType });

export type Member = v.InferOutput<typeof memberItem>;

/** In which segments a customer is kept: those that list them, and those that told their entry. They go with the customer. */
export const members = childKind({ kind: 'CUSTOMER' }, 'SEGMENT_MEMBER', memberItem);

/** Who is kept in a segment, in the order in which they became customers; as fast as 4,000 a second enter it. */
export const membersOfSegment = listing(listIndexes.first, 'SEGMENT_MEMBERS', { shards: 4, counted: true });

/** What the list knows of a member. */
export const listedMember = v.object({ id: v.string(), created_at: v.string() });

export function memberKey(projectId: string, { customer_id, segment_id }: Pick<Member, 'customer_id' | 'segment_id'>) {
  return members(projectId, customer_id, segment_id);
}

/** `created_at`: of the customer. */
export function memberAttributes(projectId: string, member: Member, created_at: string) {
  const { customer_id: id, segment_id } = member;
  return {
    ...member,
    ...placed(membersOfSegment, [projectId, segment_id], [created_at, id]),
    listed: { id, created_at },
  };
}

/** Puts those of the customers who are there into a static segment, whether or not they are in it. */
export async function putMembers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  { id: segment_id, type }: Pick<Segment, 'id' | 'type'>,
  customerIds: readonly string[],
): Promise<Effect[]> {
  const { known } = await read(table, { known: customerIds.map((id) => customers(project.id, id)) });
  return known.flatMap((customer) => {
    if (!customer) return [];
    const member = { customer_id: customer.id, segment_id, type };
    const key = memberKey(project.id, member);
    const attributes = { ...memberAttributes(project.id, member, customer.created_at), ...marks(key) };
    return change(key, (update) => {
      for (const [name, value] of Object.entries(attributes)) update.set([name], value);
      return update;
    });
  });
}

/** Of a customer. */
export function readMembers({ table, project }: Pick<Reading, 'table' | 'project'>, customerId: string) {
  return readChildren(table, members, project.id, customerId);
}
