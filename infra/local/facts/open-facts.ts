import { join } from 'node:path';
import { describeFailure } from '#kernel/core/failure.ts';
import type { Files } from '#kernel/core/files/files.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import type { KeptFacts } from './keep-facts.ts';

/** The folder of the facts in a folder of data. */
export function factsFolder(dataDir: string): string {
  return join(dataDir, 'facts');
}

/** Begins to keep facts. A system without a build of the engine serves everything but reports. */
export async function openFacts(dependencies: Dependencies, dataDir: string): Promise<KeptFacts | undefined> {
  try {
    const { keepFacts } = await import('./keep-facts.ts');
    return await keepFacts(dependencies, factsFolder(dataDir));
  } catch (error) {
    const fields = { part: 'facts', message: 'no facts are kept for reports', ...describeFailure(error) };
    dependencies.log(JSON.stringify({ level: 'error', time: dependencies.clock().toISOString(), ...fields }));
    return undefined;
  }
}

/** Returns the same files. The removal of a project's files also removes its facts. */
export function removingFacts(files: Files, facts: Pick<KeptFacts, 'removeProject'> | undefined): Files {
  return {
    ...files,
    removeAll: async (projectId) => {
      await facts?.removeProject(projectId);
      await files.removeAll(projectId);
    },
  };
}
