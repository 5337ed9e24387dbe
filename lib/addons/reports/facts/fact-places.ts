import { addDays } from '#kernel/core/calendar.ts';
import type { FactTable } from './fact-tables.ts';

/** Names the places of facts in their bucket (docs/reports.md#stack). */

/** Lines of JSON that no pack has included, the packed files, the note of the packs, and results of queries. */
export const factAreas = { fresh: 'fresh', packed: 'packed', notes: 'notes', answers: 'answers' } as const;

/**
 * The first day with a separate partition. A query reads every day of its range, and days without facts cost a call
 * each. Facts of earlier and of future days share the partition of this day, which every query reads.
 */
export const sharedDay = '2020-01-01';

/** Returns the day of the partition that a fact belongs to, at the time of its pack. */
export function findPartitionDay(day: string, today: string): string {
  return day < sharedDay || day > addDays(today, 1) ? sharedDay : day;
}

/** Returns the folder of a partition, as Hive and Athena name it. A project's id has no character that needs an escape. */
export function partitionFolder(table: FactTable, project: string, day: string): string {
  return `${factAreas.packed}/${table}/project=${project}/day=${day}/`;
}

export function projectFolder(table: FactTable, project: string): string {
  return `${factAreas.packed}/${table}/project=${project}/`;
}
