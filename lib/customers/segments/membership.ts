import { compileFilter } from '../../kit/filters/filter.ts';
import type { FoundCustomer } from '../find-customer.ts';
import { presentCustomer } from '../present-customer.ts';
import { type Subject, segmentFields } from './fields.ts';
import type { Segment } from './segment.ts';

/** As filters see them: no filter asks for an address of this API. */
export function subjectOf(found: FoundCustomer, now: Date): Subject {
  return { ...presentCustomer(found, { now, baseUrl: '' }), events: found.item.event_counts ?? {} };
}

type Takes = (subject: Subject, now: Date) => boolean;

const compiled = new WeakMap<object, Takes>();

/** Whom a segment takes by its filter; one without takes nobody. A filter that containers keep is compiled once. */
export function takesByFilter({ filter }: Segment): Takes {
  if (!filter) return () => false;
  const takes = compiled.get(filter) ?? compileFilter(segmentFields, filter);
  compiled.set(filter, takes);
  return takes;
}

/** Of these segments, those that the customer is in: a static one keeps its members, the others ask their filter. */
export function segmentsOf<S extends Segment>(
  segments: readonly S[],
  subject: Subject,
  keptIn: ReadonlySet<string>,
  now: Date,
): S[] {
  return segments.filter((one) => (one.type === 'static' ? keptIn.has(one.id) : takesByFilter(one)(subject, now)));
}
