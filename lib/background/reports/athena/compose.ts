import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { readEnvironment } from '../../../core/environment.ts';
import type { ReportEngine } from '../../../core/reports.ts';

const environment = v.object({
  /** A deployment without reports has no workgroup. */
  REPORTS_WORKGROUP: v.optional(v.string()),
  REPORTS_DATABASE: v.optional(v.string(), ''),
  /** The address of a local Athena. */
  ATHENA_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

/** infra/aws/served-files.ts writes the queries beside the bundle. */
async function readQuery(name: string): Promise<string> {
  return gunzipSync(await readFile(join(import.meta.dirname, 'files', `${name}.sql.gz`))).toString();
}

/** Returns the engine of the environment, or `undefined` if reports are off. The first query loads the client. */
export function composeAthena(env: NodeJS.ProcessEnv): ReportEngine | undefined {
  const settings = readEnvironment(environment, env);
  const { REPORTS_WORKGROUP: workgroup, REPORTS_DATABASE: database, ATHENA_ENDPOINT } = settings;
  if (workgroup === undefined) return undefined;
  let opened: Promise<ReportEngine> | undefined;
  const engine = () => {
    opened ??= import('./athena-engine.ts').then(({ createAthenaClient, createAthenaEngine }) => {
      const client = createAthenaClient(ATHENA_ENDPOINT);
      return createAthenaEngine({ client, workgroup, database, readQuery, clock: () => new Date() });
    });
    return opened;
  };
  return {
    query: async (...asked) => (await engine()).query(...asked),
    queryWithFile: async (query) => (await engine()).queryWithFile(query),
  };
}
