import { expect, test } from 'vitest';
import type { ProjectKey } from '#addons/admin/management/project-keys.ts';
import { exported } from '../support/exported.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadFile } from '../support/project.ts';

const own = manageProjects();

test('a project file has every key that requests made and rotated, and loads them again without a change', async () => {
  const { body: project } = await own.create();
  for (const type of ['SERVER', 'CLIENT', 'MANAGEMENT']) {
    const { body: made } = await own.createKey(project.id, {
      ...{ type, name: `A ${type}` },
      ...(type === 'CLIENT' ? { origins: ['https://shop.example'] } : {}),
    });
    expect((await own.rotateKey(project.id, made.id)).status).toBe(200);
  }
  const before: ProjectKey[] = (await own.listKeys(project.id)).body.data;
  expect(before.filter((key) => key.valid_tokens === 2)).toHaveLength(3);
  await loadFile(await exported(project.id));
  expect((await own.listKeys(project.id)).body.data).toEqual(before);
});
