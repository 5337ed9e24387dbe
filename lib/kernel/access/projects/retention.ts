import { addMonths, formatDay } from '#kernel/core/calendar.ts';
import { findStartOfDay } from '#kernel/core/local-time.ts';
import type { Project, Retained } from './project.ts';

/**
 * Returns the first moment of the records that stay, or `undefined` if the project never removes them. Whole days are
 * removed together, in the zone of `now`.
 */
export function findRetentionStart(
  { retention }: Pick<Project, 'retention'>,
  retained: Retained,
  now: Date,
): Date | undefined {
  const months = retention[retained];
  return months === undefined ? undefined : findStartOfDay(addMonths(formatDay(now), -months), now);
}

/** Explains why a record is missing, if the project no longer keeps records of its age. */
export function explainMissing(
  project: Pick<Project, 'retention'>,
  retained: Retained,
  made: Date | undefined,
  now: Date,
): string | undefined {
  const since = findRetentionStart(project, retained, now);
  if (!since || !made || made >= since) return undefined;
  return `${retained} are kept for ${project.retention[retained]} months: this record was archived and removed`;
}
