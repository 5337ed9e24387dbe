import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../infra/local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one engine that all test files share. */
    endpoint: string;
    engineName: string;
    /** Of what is bundled once for the whole run: a folder of its own, unless `TESSERA_BUNDLES` names that of a run of more than tests. */
    bundlesDir: string;
  }
}

const memory = '/dev/shm';
/** Ten times what the tests of one run have there at once. */
const roomInBytes = 2 * 1024 ** 3;

/** The native engine keeps its data in a file, and a third of what it does is to write it: in memory, where there is room. */
async function withFilesInMemory(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize < roomInBytes ? env : { ...env, TMPDIR: memory };
}

/** One engine for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine({ prefer: 'dynoxide', env: await withFilesInMemory(process.env) });
  process.stdout.write(`DynamoDB engine: ${engine.name} (${engine.why})\n`);
  project.provide('endpoint', engine.endpoint);
  project.provide('engineName', engine.name);
  const { TESSERA_BUNDLES } = process.env;
  const bundlesDir = TESSERA_BUNDLES || (await mkdtemp(join(tmpdir(), 'tessera-bundles-')));
  project.provide('bundlesDir', bundlesDir);
  return async () => {
    await engine.stop();
    if (TESSERA_BUNDLES) return;
    // A process of a test may still be writing what it compiled.
    await rm(bundlesDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}
