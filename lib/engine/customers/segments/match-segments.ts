import type { Areas } from '#kernel/core/geo-point.ts';
import { asDeclaredBy } from '#kernel/core/metadata/declared.ts';
import type { Reading } from '#kernel/http/context.ts';
import { compileFilter, listFilterLocations, type Matches } from '#kernel/kit/filters/filter.ts';
import type { FoundCustomer } from '../find-customer.ts';
import { presentCustomer } from '../present-customer.ts';
import { type Segment, type SegmentSubject, segmentFields } from './segment.ts';

/**
 * Returns the customer in the form that filters test. The API's address stays empty, because no filter uses it.
 * Metadata compares as its schema declares it.
 */
export function buildSubject({ project, now }: Pick<Reading, 'project' | 'now'>, found: FoundCustomer): SegmentSubject {
  const shown = presentCustomer(found, { now });
  const metadata = asDeclaredBy(project.schemas('customer'), shown.metadata);
  return { ...shown, ...(metadata ? { metadata } : {}), events: found.item.event_counts ?? {} };
}

type Takes = Matches<SegmentSubject>;

const compiled = new WeakMap<object, Takes>();

/**
 * Returns the test of a segment's filter. Without a filter, no customer passes. A filter that containers keep is
 * compiled once.
 */
export function compileSegment({ filter }: Segment): Takes {
  if (!filter) return () => false;
  const takes = compiled.get(filter) ?? compileFilter(segmentFields, filter);
  compiled.set(filter, takes);
  return takes;
}

/** Returns the segments that the customer is in. A static segment keeps its members, and the others test their filter. */
export function matchSegments<S extends Segment>(
  segments: readonly S[],
  subject: SegmentSubject,
  keptIn: ReadonlySet<string>,
  { now, areas }: { now: Date; areas: Areas },
): S[] {
  return segments.filter((one) =>
    one.type === 'static' ? keptIn.has(one.id) : compileSegment(one)(subject, now, areas),
  );
}

/** Returns the ids of the locations that the filters of segments name. */
export function listSegmentLocations(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ filter }) => (filter ? listFilterLocations(filter) : []));
}
