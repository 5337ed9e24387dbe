import { readFile } from 'node:fs/promises';
import { insertAction } from './actions.ts';
import { insertCloses } from './closes.ts';
import { testDependencies, testTime } from './dependencies.ts';
import { insertExampleDelivery } from './example-delivery.ts';
import { insertExports } from './exports.ts';
import { insertExampleLock } from './locks.ts';
import { credentialsOf, loadFile, projectFile, type TestProject } from './project.ts';
import { insertExampleRedemptions } from './redemptions.ts';

const file = new URL('../../infra/local/demo-project.json', import.meta.url);

/** Loads the demo's campaigns, vouchers, customers and other resources into the test's own project. */
export async function loadDemo(dependencies = testDependencies()): Promise<TestProject> {
  const { project, app_keys, management_keys, ...lists } = JSON.parse(await readFile(file, 'utf8'));
  const own = projectFile(lists);
  const content = { ...own, project: { ...project, ...own.project } };
  await loadFile(content, testTime, dependencies);
  await insertAction(own.project.id, dependencies);
  await insertExports(own.project.id, dependencies);
  await insertCloses(own.project.id, dependencies);
  await insertExampleRedemptions(own.project.id, dependencies);
  await insertExampleLock(own.project.id, dependencies);
  await insertExampleDelivery(own.project.id, dependencies);
  return { id: own.project.id, credentials: credentialsOf(own), file: content };
}
