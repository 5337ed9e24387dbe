import type { Showing } from '../../http/context.ts';
import { read } from '../../table/read.ts';
import type { Among } from '../among.ts';
import { customersListed, type ListCustomersQuery, listCustomers } from '../list-customers.ts';
import { membersOfSegment } from './member.ts';
import { subjectOf, takesByFilter } from './membership.ts';
import { type Segment, segment } from './segment.ts';

function findGroup({ project, now }: Showing, item: Segment): Among {
  if (item.type !== 'passive' && item.turning === undefined)
    return { kept: { list: membersOfSegment, owner: [project.id, item.id] } };
  const takes = takesByFilter(item);
  return {
    takes: (found) => new Set(found.filter((one) => takes(subjectOf(one, now), now)).map((one) => one.item.id)),
  };
}

/** Lists all customers of the project, or the customers in a segment. An unknown segment has no customers. */
export async function listMembers(context: Showing, query: ListCustomersQuery): ReturnType<typeof listCustomers> {
  const { table, project } = context;
  const { segment_id } = query;
  if (segment_id === undefined) return listCustomers(context, query);
  const { item } = await read(table, { item: segment.few(project.id, segment_id) });
  if (item) return listCustomers(context, query, findGroup(context, item));
  return customersListed.show([], { total: 0, has_more: false });
}
