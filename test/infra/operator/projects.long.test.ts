import { expect, inject, test } from 'vitest';
import { ownTable, testDependencies, testTime } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { loadFile, loadProject, projectFile } from '../../support/project.ts';

test('projects lists every project of the table, once, by id', async () => {
  const tableName = await ownTable();
  const dependencies = testDependencies({ tableName });
  const env = { DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: tableName };
  expect(await operate('projects', [], { env })).toEqual({ code: 0, stdout: '', stderr: '' });

  const one = await loadProject({}, dependencies);
  const file = projectFile();
  for (const name of ['Till', 'Renamed']) {
    await loadFile({ ...file, project: { ...file.project, name } }, testTime, dependencies);
  }
  const lines = [`${one.id}\tTest`, `${file.project.id}\tRenamed`].map(
    (line) => `${line}\t${testTime.toISOString()}\n`,
  );
  expect((await operate('projects', [], { env })).stdout).toBe(lines.sort().join(''));
});

test('projects reports a missing table, and creates none', async () => {
  const env = { DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: 'no-such-table' };
  for (let run = 0; run < 2; run++) {
    expect(await operate('projects', [], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'TABLE_NAME: the table no-such-table does not exist\n',
    });
  }
});

test('projects explains itself, and ends with 2 on a wrong command line', async () => {
  expect(await operate('projects', ['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npm run projects'),
  });
  expect((await operate('projects', ['x'])).code).toBe(2);
});
