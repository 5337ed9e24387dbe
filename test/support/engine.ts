import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../infra/local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the one engine that all test files share. */
    endpoint: string;
    engineName: string;
    /** The folder of bundles of the whole run. `TESSERA_BUNDLES` names the folder of a longer run. */
    bundlesDir: string;
  }
}

const memory = '/dev/shm';
/** Ten times the data of one test run. */
const roomInBytes = 2 * 1024 ** 3;

/** Keeps the native engine's file in memory if there is room. Writing the file is a third of the engine's work. */
async function withFilesInMemory(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize < roomInBytes ? env : { ...env, TMPDIR: memory };
}

/** Starts one engine for the whole run. */
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
    // A test's process may still be writing compiled code.
    await rm(bundlesDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}
