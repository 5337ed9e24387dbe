import { hashTrackingId } from '#engine/checkout/request/tracking-id.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { normaliseEmail } from '#kernel/core/email-address.ts';
import type { Person } from '#kernel/kit/deletion/erasure.ts';

/** A shorter text identifies no person, and is part of many others. */
const leastLength = 3;

/** Decides whether texts name a person. */
export interface Naming {
  /** Tests for texts that identify only this person. */
  readonly isNamed: (text: string) => boolean;
  /** Also tests for texts that others may share, if a row has no other identification. */
  readonly mayBeNamed: (text: string) => boolean;
  /** Returns whether the text contains one of them. */
  readonly isWithin: (text: string) => boolean;
}

/** Returns the tests for a customer: their ids, e-mail address or telephone number, or the id of one of their records. */
export function compileNaming(
  project: Project,
  customerId: string,
  { source_id, names, texts }: Person,
  records: Iterable<string>,
): Naming {
  const sources = source_id === undefined ? [] : [source_id, hashTrackingId(project, source_id)];
  const called = [customerId, ...sources, ...names];
  const own = new Set([...called, ...records]);
  const all = new Set([...own, ...texts]);
  const long = [...called, ...texts].filter(({ length }) => length >= leastLength);
  // Callers may write an address in another case, as in the filter of an export.
  const emails = new Set(names.filter((name) => name.includes('@')).map(normaliseEmail));
  const isEmail = (text: string) => emails.has(normaliseEmail(text));
  return {
    isNamed: (text) => own.has(text) || isEmail(text),
    mayBeNamed: (text) => all.has(text) || isEmail(text),
    isWithin: (text) => {
      const lower = text.toLowerCase();
      return long.some((name) => text.includes(name)) || [...emails].some((email) => lower.includes(email));
    },
  };
}
