import type * as v from 'valibot';
import { readAreas } from '#engine/catalogue/locations/location.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset } from '#kernel/http/page.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { readFew, wrapResources } from '#kernel/kit/resource/operations.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { newCustomer } from '../change-customer.ts';
import { findCustomerItem, readCustomers } from '../find-customer.ts';
import { buildSubject, listSegmentLocations, matchSegments } from './match-segments.ts';
import { readMembers, type Segment, segment, segmentListFields, type segmentsOfCustomer } from './segment.ts';

/** Lists a page of the segments that pass the filters, in the order of creation. */
export async function listSegments(
  context: Reading,
  { ids, filters = {}, order = '-created_at', page, limit }: v.InferOutput<typeof segment.listQuery>,
): Promise<v.InferOutput<typeof segment.listReply>> {
  const takes = compileFilter<Segment>(segmentListFields, filters);
  const place = (one: Segment) => `${one.created_at} ${one.id}`;
  const found = (await readFew(context, segment))
    .filter((one) => (ids === undefined || ids.includes(one.id)) && takes(one, context.now))
    .sort((one, other) => (place(one) < place(other) ? -1 : 1));
  if (order.startsWith('-')) found.reverse();
  const offset = computeOffset({ page, limit: limit ?? segment.unlimited });
  const data = found.slice(offset, offset + (limit ?? segment.unlimited));
  return wrapResources(
    segment,
    data.map((one) => presentResource(segment, one)),
    { offset, total: found.length },
  );
}

/** Lists the segments of a customer by id or source id, the newest first. An unknown customer counts as a new customer. */
export async function listSegmentsOfCustomer(
  context: Reading,
  idOrSourceId: string,
): Promise<v.InferOutput<typeof segmentsOfCustomer>> {
  const { now } = context;
  const [segments, item] = await Promise.all([readFew(context, segment), findCustomerItem(context, idOrSourceId)]);
  const [[known], kept] = item
    ? await Promise.all([readCustomers(context, [item.id]), readMembers(context, item.id)])
    : [[], []];
  const nobody = { item: newCustomer(context, {}), cards: [], programmes: new Map(), referringNames: new Map() };
  const keptIn = new Set(kept.map(({ segment_id }) => segment_id));
  const areas = await readAreas(context, listSegmentLocations(segments));
  const found = matchSegments(segments, buildSubject(context, known ?? nobody), keptIn, { now, areas });
  return wrapList(found.reverse().map(({ id, name }) => ({ id, name, object: 'segment' as const })));
}
