import { trackingIdOf } from '../../checkout/request/tracking-id.ts';
import type { Project } from '../../http/projects/project.ts';
import type { Person } from '../../kit/deletion/erasure.ts';

/** A text that is shorter names nobody, and stands in many others. */
const leastLength = 3;

/** Tells whether texts name a person. */
export interface Naming {
  /** By what only this person is called. */
  readonly isNamed: (text: string) => boolean;
  /** Also by what others may be called: for where nothing else is known of a row. */
  readonly mayBeNamed: (text: string) => boolean;
  /** Whether the text has any of it inside. */
  readonly isWithin: (text: string) => boolean;
}

/** Returns what tells whether texts name the customer: by their ids, e-mail address or telephone number, or the id of a record of theirs. */
export function namingOf(
  project: Project,
  customerId: string,
  { source_id, names, texts }: Person,
  records: Iterable<string>,
): Naming {
  const sources = source_id === undefined ? [] : [source_id, trackingIdOf(project, source_id)];
  const called = [customerId, ...sources, ...names];
  const own = new Set([...called, ...records]);
  const all = new Set([...own, ...texts]);
  const long = [...called, ...texts].filter(({ length }) => length >= leastLength);
  return {
    isNamed: (text) => own.has(text),
    mayBeNamed: (text) => all.has(text),
    isWithin: (text) => long.some((name) => text.includes(name)),
  };
}
