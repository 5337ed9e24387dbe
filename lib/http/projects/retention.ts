import { addMonths, dayOf } from '../../core/calendar.ts';
import type { Project, Retained } from './project.ts';

/** Returns the first moment of the records that stay; `undefined` where the project keeps them for ever. Whole days (UTC) go at once. */
export function keptSince({ retention }: Pick<Project, 'retention'>, retained: Retained, now: Date): Date | undefined {
  const months = retention[retained];
  return months === undefined ? undefined : new Date(addMonths(dayOf(now), -months));
}

/** Says why a record is missing, where the project no longer keeps records as old. */
export function whyMissing(
  project: Pick<Project, 'retention'>,
  retained: Retained,
  made: Date | undefined,
  now: Date,
): string | undefined {
  const since = keptSince(project, retained, now);
  if (!since || !made || made >= since) return undefined;
  return `${retained} are kept for ${project.retention[retained]} months: this one was archived and removed`;
}
