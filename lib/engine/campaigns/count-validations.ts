import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import { change, commitApart, type Effect, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { counterBehind } from './counters.ts';

/** Counts validations from the lines that requests write to the log (docs/operations.md#counted). */

const line = v.object({
  project_id: v.string(),
  validated: v.record(v.string(), v.tuple([count, count])),
  /** The day in the project's zone. */
  validated_on: v.pipe(v.string(), v.isoDate()),
});

type Line = v.InferOutput<typeof line>;

/** Marks a delivery that was counted, so that a repeated delivery counts nothing. */
const countedDeliveries = kind(kinds.countedLog, v.object({ expiresAt: count }));

/** Matches the partition keys of these marks, as an IAM pattern. */
export const countedDeliveryKeys = `*#${countedDeliveries.kind}#*`;

/** CloudWatch Logs tries a delivery again for at most a day. */
const keptForInSeconds = 2 * 24 * 60 * 60;

/** One transaction holds at most this many counters and the mark. */
const atOnce = 50;

/** Describes an event of a log. Its id is the same however often it is delivered. */
export interface LogEvent {
  readonly id: string;
  readonly message: string;
}

/** Reads a line with this field. Returns `undefined` for any other line of the log. */
export function readLogLine<S extends v.GenericSchema>(message: string, field: string, schema: S) {
  if (!message.includes(`"${field}"`)) return undefined;
  const start = message.indexOf('{');
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), message.slice(Math.max(start, 0)));
  return read.success ? read.output : undefined;
}

interface Sum {
  readonly projectId: string;
  readonly campaignId: string;
  readonly day: string;
  succeeded: number;
  failed: number;
}

/**
 * Sums the lines by project, campaign and day, in the same order at every delivery. The line contains its day, because
 * the zone of the project may change between two deliveries.
 */
function sumLines(lines: readonly Line[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { project_id: projectId, validated, validated_on: day } of lines) {
    for (const [campaignId, [succeeded, failed]] of Object.entries(validated)) {
      const name = JSON.stringify([projectId, campaignId, day]);
      const sum = sums.get(name) ?? { projectId, campaignId, day, succeeded: 0, failed: 0 };
      sum.succeeded += succeeded;
      sum.failed += failed;
      sums.set(name, sum);
    }
  }
  return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function countSum({ projectId, campaignId, day, succeeded, failed }: Sum): Effect {
  return change(counterBehind(projectId, campaignId, day), (update) => {
    if (succeeded > 0) update.add('validations_succeeded', succeeded);
    if (failed > 0) update.add('validations_failed', failed);
    return update;
  });
}

/** Counts a delivery of log events once, however often it arrives. Each project's counters and its mark are one transaction. */
export async function countValidations(table: Table, now: Date, events: readonly LogEvent[]): Promise<void> {
  const lines = events.flatMap(({ message }) => readLogLine(message, 'validated', line) ?? []);
  const delivery = createHash('sha256')
    .update(events.map(({ id }) => id).join('\n'))
    .digest('base64url');
  const expiresAt = Math.floor(now.getTime() / 1000) + keptForInSeconds;
  for (const [projectId, sums] of Map.groupBy(sumLines(lines), (sum) => sum.projectId)) {
    for (let first = 0; first < sums.length; first += atOnce) {
      const mark = countedDeliveries(projectId, `${delivery}-${first}`);
      const done = await commitApart(table, [
        insert(mark, { expiresAt }, () => undefined),
        ...sums.slice(first, first + atOnce).map(countSum),
      ]);
      if (!done && !(await table.get(mark, mark.schema))) throw new Error('a delivery of validations was not counted');
    }
  }
}
