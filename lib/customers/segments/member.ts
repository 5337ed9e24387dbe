import * as v from 'valibot';
import type { Reading } from '../../http/context.ts';
import { change, type Effect } from '../../table/effects.ts';
import { childKind, itemMarks } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import { listIndexes, listing, placeInList } from '../../table/listing.ts';
import { read, readChildren } from '../../table/read.ts';
import { customers } from '../customer.ts';
import { type Segment, segmentType } from './segment.ts';

const memberItem = v.object({ customer_id: v.string(), segment_id: v.string(), type: segmentType });

type Member = v.InferOutput<typeof memberItem>;

/** Stores the segments that keep a customer, by a list or after a recorded entry. The customer's deletion deletes them. */
export const members = childKind({ kind: kinds.customer }, kinds.segmentMember, memberItem);

/** Lists the members of a segment in the order in which they became customers. It takes 4,000 new members a second. */
export const membersOfSegment = listing(listIndexes.first, 'SEGMENT_MEMBERS', { shards: 4, counted: true });

/** The list holds these fields of a member. */
export const listedMember = v.object({ id: v.string(), created_at: v.string() });

export function memberKey(projectId: string, { customer_id, segment_id }: Pick<Member, 'customer_id' | 'segment_id'>) {
  return members(projectId, customer_id, segment_id);
}

/** Returns the attributes of a membership. `created_at` is the creation of the customer. */
export function memberAttributes(projectId: string, member: Member, created_at: string) {
  const { customer_id: id, segment_id } = member;
  return {
    ...member,
    ...placeInList(membersOfSegment, [projectId, segment_id], [created_at, id]),
    listed: { id, created_at },
  };
}

/** Puts the customers that exist into a static segment, whether or not they are in it. */
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
    const attributes = { ...memberAttributes(project.id, member, customer.created_at), ...itemMarks(key) };
    return change(key, (update) => {
      for (const [name, value] of Object.entries(attributes)) update.set([name], value);
      return update;
    });
  });
}

/** Reads the memberships of a customer. */
export function readMembers({ table, project }: Pick<Reading, 'table' | 'project'>, customerId: string) {
  return readChildren(table, members, project.id, customerId);
}
