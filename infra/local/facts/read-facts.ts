import { join, resolve } from 'node:path';
import type { ReportEngine } from '#kernel/core/reports.ts';
import { openEngine } from './duckdb.ts';
import { FactFiles } from './fact-files.ts';
import { folders } from './fact-store.ts';
import { listJournals } from './journal.ts';
import { runQuery } from './run-query.ts';

/**
 * A pack of the server removes journals that a query was about to read. Packs are rare, so the next attempt succeeds.
 */
const mostAttempts = 3;

/** Opens facts that a running server may keep. It changes nothing. */
export async function openReader(
  path: string,
  limits: Parameters<typeof openEngine>[1] = {},
): Promise<Pick<ReportEngine, 'query'> & { end: () => void }> {
  const folder = resolve(path);
  const files = new FactFiles(join(folder, folders.files));
  const journal = { list: () => listJournals(join(folder, folders.journal)) };
  await journal.list();
  const instance = await openEngine(folder, limits);
  return {
    query: async (query) => {
      for (let attempt = 1; ; attempt++) {
        const connection = await instance.connect();
        try {
          return await runQuery(connection, query, files, journal);
        } catch (error) {
          if (attempt === mostAttempts || !/No files found|No such file/i.test(String(error))) throw error;
        } finally {
          connection.closeSync();
        }
      }
    },
    end: () => instance.closeSync(),
  };
}
