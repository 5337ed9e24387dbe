import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { type Command, clientWith } from './client.ts';
import { testDependencies, testTime, uniqueId } from './dependencies.ts';

type Lists = Record<string, unknown>;

export interface TestProject {
  id: string;
  /** The two app headers of the project's key. */
  credentials: Record<string, string>;
  /** The loaded lists. */
  file: Lists;
}

/** Writes a value to a file, and deletes the file after `use` ends. */
export async function withFile<T>(content: unknown, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    const path = join(folder, 'project.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Place = Pick<Dependencies, 'dynamodb' | 'tableName'>;

export function loadFile(content: unknown, now = testTime, { dynamodb, tableName }: Place = testDependencies()) {
  return withFile(content, (path) => loadProjectFile(path, { dynamodb, tableName, now }));
}

/** Loads a project with a client that dies before its first command of this kind. */
export function loadCutOff(content: unknown, isCut: (command: Command) => boolean) {
  const dynamodb = clientWith(testDependencies().dynamodb, (command, real) =>
    isCut(command) ? Promise.reject(new Error('cut off')) : real(),
  );
  return loadFile(content, testTime, testDependencies({ dynamodb }));
}

/** Returns the faults for which the file is refused. The list is empty if it loads. */
export async function faultsOf(content: unknown): Promise<readonly string[]> {
  try {
    await loadFile(content);
  } catch (error) {
    if (error instanceof ProjectFileError) return error.faults;
    throw error;
  }
  return [];
}

/** Makes the file of a project that no other test has, with an app key. */
export function projectFile<L extends Lists>(lists: L = {} as L) {
  const id = uniqueId('proj_');
  return {
    project: { id, name: 'Test' },
    app_keys: [{ app_id: `app-${id}`, app_token: `token-${id}`, name: 'Shop' }],
    ...lists,
  };
}

/** Loads a test's own project with the real loader. */
export async function loadProject(lists: Lists = {}, dependencies: Place = testDependencies()): Promise<TestProject> {
  const file = projectFile(lists);
  await loadFile(file, testTime, dependencies);
  return { id: file.project.id, credentials: credentialsOf(file), file };
}

export function credentialsOf({ app_keys: [key] }: { app_keys: { app_id: string; app_token: string }[] }) {
  return { 'x-app-id': key?.app_id ?? '', 'x-app-token': key?.app_token ?? '' };
}
