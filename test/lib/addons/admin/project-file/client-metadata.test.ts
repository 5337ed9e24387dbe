import { expect, test } from 'vitest';
import { findProject } from '#kernel/access/projects/project.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { exported } from '../../../../support/exported.ts';
import { faultsOf, loadFile, projectFile } from '../../../../support/project.ts';

const fileWith = (client_metadata?: unknown) => {
  const file = projectFile();
  return { ...file, project: { ...file.project, ...(client_metadata === undefined ? {} : { client_metadata }) } };
};

test('a project file lists the metadata keys for browsers, at each load, and an export lists them too', async () => {
  const file = fileWith(['colour', 'size']);
  const { id } = file.project;
  const { dynamodb, tableName } = testDependencies();
  const listed = async () => (await findProject(new Table(dynamodb, tableName, testTime), id))?.clientMetadata;
  await loadFile(file);
  expect(await listed()).toEqual(['colour', 'size']);
  expect((await exported(id)).project).toMatchObject({ client_metadata: ['colour', 'size'] });
  await loadFile({ ...file, project: { ...file.project, client_metadata: ['size'] } });
  expect(await listed()).toEqual(['size']);
  // A file without the list allows no key.
  await loadFile({ ...file, project: { id, name: file.project.name } });
  expect(await listed()).toEqual([]);
  expect((await exported(id)).project).not.toHaveProperty('client_metadata');
});

test.each<[unknown, string]>([
  ['colour', 'client_metadata must be an array'],
  [[''], 'client_metadata[0] must not be empty'],
  [Array.from({ length: 101 }, (_, index) => `key ${index}`), 'client_metadata must have at most 100 entries'],
])('%j is refused', async (client_metadata, fault) => {
  expect(await faultsOf(fileWith(client_metadata))).toEqual([expect.stringContaining(fault)]);
});
