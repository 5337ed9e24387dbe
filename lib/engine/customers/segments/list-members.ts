import { readAreas } from '#engine/catalogue/locations/location.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import type { CustomerGroup } from '../customer-group.ts';
import { customersListed, type ListCustomersQuery, listCustomers } from '../list-customers.ts';
import { buildSubject, compileSegment, listSegmentLocations } from './match-segments.ts';
import { membersOfSegment, type Segment, segment } from './segment.ts';

async function findGroup(context: Showing, item: Segment): Promise<CustomerGroup> {
  const { project, now } = context;
  if (item.type !== 'passive' && item.turning === undefined)
    return { kept: { list: membersOfSegment, owner: [project.id, item.id] } };
  const takes = compileSegment(item);
  const areas = await readAreas(context, listSegmentLocations([item]));
  return {
    takes: (found) =>
      new Set(found.filter((one) => takes(buildSubject(context, one), now, areas)).map((one) => one.item.id)),
  };
}

/** Lists all customers of the project, or the customers in a segment. An unknown segment has no customers. */
export async function listSegmentMembers(
  context: Showing,
  query: ListCustomersQuery,
): ReturnType<typeof listCustomers> {
  const { table, project } = context;
  const { segment_id } = query;
  if (segment_id === undefined) return listCustomers(context, query);
  const { item } = await read(table, { item: segment.few(project.id, segment_id) });
  if (item) return listCustomers(context, query, await findGroup(context, item));
  return customersListed.show([], { total: 0, has_more: false });
}
