import * as v from 'valibot';
import { byteOrderMark } from '#kernel/core/files/encoding.ts';
import { fileLifeInDays } from '#kernel/core/files/files.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { keyOf, tableShape } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { endJob, failAndListJob, requireOpenJob } from '../jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '../jobs/run.ts';
import { type ExportItem, type ExportStatus, exportFile, exportItem, partFile, placeExport } from './export.ts';
import type { ExportedObject } from './exported-object.ts';
import { readFileSlice, readSortedSlice } from './slices.ts';

function shownAs<U extends Update>(update: U, job: ExportItem, status: ExportStatus): U {
  for (const [name, value] of Object.entries(placeExport(job.project_id ?? '', job, status))) update.set([name], value);
  return update;
}

type ExportUpdate = Update<typeof exportItem>;

/** Notes a slice. Returns `undefined` if another run is ahead, or the export was ended or deleted. */
async function moved({ table }: JobContext, job: ExportItem, by: (update: ExportUpdate) => ExportUpdate) {
  const update = by(requireOpenJob<ExportUpdate>(new Update()).whenStill('noted', job.noted));
  const outcome = await table.change(keyOf(job), update.build());
  return outcome.done ? parseStored(exportItem, outcome.item) : undefined;
}

const dayInS = 24 * 3_600;

async function finish(context: JobContext, job: ExportItem, projectId: string): Promise<void> {
  const { table, clock, files } = context;
  const file = exportFile(projectId, job.id);
  const parts = job.parts.map((part) => partFile(projectId, job.id, part));
  await files().join(file, parts);
  const expiresAt = Math.floor(clock().getTime() / 1_000) + fileLifeInDays.exports * dayInS;
  const done = shownAs(endJob(clock()), job, 'DONE').set([tableShape.timeToLive], expiresAt);
  const outcome = await table.change(keyOf(job), requireOpenJob(done).build());
  const isDeleted = !outcome.done && outcome.item === undefined;
  if (isDeleted) await Promise.all([file, ...parts].map(files().remove));
}

async function fail({ table, now }: JobContext, job: ExportItem): Promise<void> {
  await table.change(keyOf(job), shownAs(requireOpenJob(failAndListJob(now)), job, 'ERROR').build());
}

/**
 * Walks the list of an export in slices. Each slice is written as a part before it is noted, and each note builds on
 * the preceding note. An interrupted run leaves a part that no note names. The file consists of noted parts.
 */
export function createExportWork(objects: readonly ExportedObject[]): Work {
  return {
    run: async (context, stored): Promise<RunOutcome> => {
      const project = await context.project();
      let job = parseStored(exportItem, stored);
      const { id, exported_object } = job;
      const exported = objects.find(({ object }) => object === exported_object);
      if (!exported) throw new Error(`nothing exports ${exported_object}`);
      const sent = v.parse(exported.parameters, job.parameters);
      // Filters and figures use the same day in all slices.
      const reading: Showing = {
        table: context.table,
        project,
        now: new Date(job.created_at),
        baseUrl: job.base_url,
      };
      while (!job.is_walked) {
        const from = job;
        const begun = await moved(context, from, (update) => shownAs(update.add('begun', 1), from, 'IN_PROGRESS'));
        if (!begun) return 'waiting';
        const lines = exported.walk(reading, sent, from);
        const slice = await (exported.isSorted(sent)
          ? readSortedSlice(lines, sent, context.isTimeUp)
          : readFileSlice(lines, context.isTimeUp));
        if (!slice) {
          context.note({ export: id, too_long_to_sort: true });
          await fail(context, from);
          return 'done';
        }
        const text =
          (from.parts.length === 0 ? (from.bom ? byteOrderMark : '') + exported.header(sent) : '') + slice.text;
        const part = { ...exportFile(project.id, id), ...partFile(project.id, id, begun.begun), content: text };
        if (text !== '') await context.files().put(part);
        const noted = await moved(context, from, (update) => {
          if (text !== '') update.set(['parts'], [...from.parts, begun.begun]);
          if (slice.behind !== undefined) update.set(['behind'], slice.behind);
          return update.set(['is_walked'], slice.end === 'all').add('noted', 1);
        });
        if (!noted) return 'waiting';
        if (slice.end === 'capacity') return 'later';
        if (context.isTimeUp()) return 'next';
        job = noted;
      }
      await finish(context, job, project.id);
      return 'done';
    },
    giveUp: (context, stored) => fail(context, parseStored(exportItem, stored)),
  };
}
