import * as v from 'valibot';
import { readEnvironment } from '#kernel/core/environment.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';

const environment = v.object({
  /** A deployment without reports has no workgroup. */
  REPORTS_WORKGROUP: v.optional(v.string()),
  REPORTS_DATABASE: v.optional(v.string(), ''),
  /** The address of a local Athena. */
  ATHENA_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

/** Returns the engine of the environment, or `undefined` if reports are off. The first query loads the client. */
export function composeAthena(env: NodeJS.ProcessEnv): ReportEngine | undefined {
  const settings = readEnvironment(environment, env);
  const { REPORTS_WORKGROUP: workgroup, REPORTS_DATABASE: database, ATHENA_ENDPOINT } = settings;
  if (workgroup === undefined) return undefined;
  async function open(workgroup: string): Promise<ReportEngine> {
    const [{ createAthenaClient, createAthenaEngine }, { readBundledQuery: readQuery }] = await Promise.all([
      import('./athena-engine.ts'),
      import('./bundled-queries.ts'),
    ]);
    const client = createAthenaClient(ATHENA_ENDPOINT);
    return createAthenaEngine({ client, workgroup, database, readQuery, clock: () => new Date() });
  }
  let opened: Promise<ReportEngine> | undefined;
  const engine = () => {
    opened ??= open(workgroup);
    return opened;
  };
  return {
    query: async (...asked) => (await engine()).query(...asked),
    queryWithFile: async (query) => (await engine()).queryWithFile(query),
  };
}
