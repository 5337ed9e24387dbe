import { readFile } from 'node:fs/promises';
import { testDependencies } from './dependencies.ts';
import { loadProject, type TestProject } from './project.ts';

const file = new URL('../../infra/local/demo-project.json', import.meta.url);

/** The demo's campaigns, vouchers, customers and the rest, in a project of the test's own. */
export async function loadDemo(dependencies = testDependencies()): Promise<TestProject> {
  const { project, app_keys, management_keys, ...lists } = JSON.parse(await readFile(file, 'utf8'));
  return loadProject(lists, dependencies);
}
