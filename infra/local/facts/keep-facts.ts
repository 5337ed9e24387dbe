import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact } from '#addons/reports/facts/fact-tables.ts';
import { findFactsOfItem } from '#addons/reports/facts/find-facts.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { readRawItem } from '#kernel/table/image.ts';
import { type RawTable, rawKey, walkItems } from '#kernel/table/raw-items.ts';
import { type NoteFault, readChanges } from '#kernel/table/stream.ts';
import { streamFilters } from '#registry.ts';
import { runHourly } from '../hourly.ts';
import { startStreamPoller } from '../stream-poller.ts';
import { FactStore } from './fact-store.ts';

export interface KeptFacts {
  readonly reports: ReportEngine;
  /** Keeps facts that no item of the table has. */
  readonly keep: (facts: readonly Fact[]) => Promise<void>;
  /** Resolves once the facts of all earlier writes are kept. */
  idle: () => Promise<void>;
  removeProject: (projectId: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** Marks a folder whose facts include the whole history of the table, in the tables of this release. */
const filledMark = 'filled-3';

/** Items that a fill reads together. The local engine answers no other call while it reads them, some 50 ms. */
const readAtOnce = 500;

/**
 * Makes facts of all items that the table has, once. Facts that the stream also delivers have the same ids, so a fill
 * that is cut off begins again.
 */
export async function fillStore(
  store: FactStore,
  table: RawTable,
  folder: string,
  { note, isTimeUp }: { note: NoteFault; isTimeUp: () => boolean },
): Promise<void> {
  const mark = join(folder, filledMark);
  if (existsSync(mark)) return;
  for await (const page of walkItems(table, { index: 0, of: 1, atOnce: readAtOnce })) {
    if (isTimeUp()) return;
    await store.keep(page.flatMap((item) => findFactsOfItem(rawKey(item), readRawItem(item), note)));
  }
  await store.pack();
  await writeFile(mark, '', { flush: true });
}

/**
 * Keeps the facts of this machine in a folder. They have a separate poller, so that a failure here does not delay other
 * work.
 */
export async function keepFacts(dependencies: Dependencies, folder: string): Promise<KeptFacts> {
  const { clock, log } = dependencies;
  const store = await FactStore.open(folder);
  let isStopped = false;
  const tell = (fields: object) =>
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), part: 'facts', ...fields }));
  const note: NoteFault = ({ kind, error }) =>
    tell({ kind, message: 'an item is malformed, and may lack facts', error });
  const failed = (error: unknown) => tell(describeFailure(error));
  const poller = await startStreamPoller({
    dependencies,
    readers: [
      {
        filters: streamFilters,
        process: (records, shardId) => store.keepChanges(readChanges(records, note), shardId, note),
      },
    ],
  });
  const filling = fillStore(store, dependencies, folder, { note, isTimeUp: () => isStopped }).catch(failed);
  const packing = runHourly(() => store.pack().catch(failed));
  return {
    reports: store,
    keep: (facts) => store.keep(facts),
    idle: () => poller.idle(),
    removeProject: (projectId) => store.removeProject(projectId),
    stop: async () => {
      isStopped = true;
      await Promise.all([poller.stop(), packing.stop(), filling]);
      await store.pack().catch(failed);
      await store.end();
    },
  };
}
