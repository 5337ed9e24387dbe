import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished } from 'vitest';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { streamFilters } from '#registry.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { FactStore } from '../../infra/local/facts/fact-store.ts';
import { startStreamPoller } from '../../infra/local/stream-poller.ts';
import { caller } from '../support/call.ts';
import { changesOf } from '../support/changes.ts';
import { engineClient, standingClock, testDependencies, uniqueId } from '../support/dependencies.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** Opens a store of facts in a new folder, or in the folder of a store that was killed. */
export async function openStore(folder?: string) {
  const path = folder ?? (await mkdtemp(join(tmpdir(), 'tessera-facts-')));
  const store = await FactStore.open(path);
  onTestFinished(async () => {
    await store.end();
    if (folder === undefined) await rm(path, { recursive: true, force: true });
  });
  return { store, path };
}

/** A malformed item fails the test. */
export const noFault = (fault: unknown) => expect(fault).toBeUndefined();

/** Opens a project on a table with a stream, and collects the records of the stream. */
export async function openWorld(lists: Record<string, unknown>) {
  const tableName = uniqueId('tessera-facts-');
  const engine = engineClient();
  await createTable(engine, tableName);
  const clock = standingClock();
  const dependencies = testDependencies({ tableName, clock });
  const records: StreamRecord[] = [];
  const poller = await startStreamPoller({
    dependencies,
    readers: [
      {
        filters: streamFilters,
        process: async (some) => {
          records.push(...some);
        },
      },
    ],
  });
  onTestFinished(async () => {
    await poller.stop();
    await engine.send(new DeleteTableCommand({ TableName: tableName }));
    engine.destroy();
  });
  const file = projectFile(lists);
  await loadFile(file, clock(), dependencies);
  const headers = credentialsOf(file);
  return {
    id: file.project.id,
    headers,
    clock,
    dependencies,
    call: (handler: Parameters<typeof caller>[0], request: Omit<Parameters<ReturnType<typeof caller>>[0], 'headers'>) =>
      caller(handler, dependencies)({ headers, ...request }),
    /** Returns all records so far. */
    records: async () => {
      await poller.idle();
      return [...records];
    },
    /** Returns all changes so far. */
    changes: async () => {
      await poller.idle();
      return changesOf(records);
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
