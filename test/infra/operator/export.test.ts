import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadProjectFile } from '../../../lib/project-file/load.ts';
import { ownTable, testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { withLongFile } from '../../support/long-file.ts';
import { namedTable, operate } from '../../support/operator.ts';
import { loadFile, loadProject, projectFile, type TestProject } from '../../support/project.ts';

const table = namedTable();

let folder: string;
let project: TestProject;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  project = await loadProject({ roles: [{ id: 'role_editor', name: 'Editor' }] });
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => operate('export', args);

const longList = 5_000;

test(`${longList} vouchers and their holders are exported in 96 MB of heap, with a line of progress now and then`, {
  timeout: 900_000,
}, async () => {
  const file = projectFile();
  const tableName = await ownTable();
  const { dynamodb } = testDependencies();
  await withLongFile(
    file,
    async (path) => {
      await loadProjectFile(path, { dynamodb, tableName, now: testTime });
      const out = `${path}.exported`;
      const env = { ...table, TABLE_NAME: tableName };
      const { code, stdout, stderr } = await operate('export', [file.project.id, out], { env, heapInMb: 96 });
      const entries = longList.toLocaleString('en');
      expect([code, stdout]).toEqual([0, expect.stringContaining(`${entries} customers, ${entries} vouchers`)]);
      expect(stderr.split('\n').filter((line) => /^[\d,]+ entries$/.test(line)).length).toBeGreaterThan(0);
      const { vouchers } = JSON.parse(await readFile(out, 'utf8'));
      expect(new Set(vouchers.map(({ code }: { code: string }) => code)).size).toBe(longList);
    },
    longList,
  );
});

describe('the export command', () => {
  test('says what it has written; the file loads', async () => {
    const path = join(folder, uniqueId('file-'));
    expect(await run(project.id, path)).toEqual({
      code: 0,
      stdout: `Test (${project.id}) is in ${path}: 1 app_keys, 1 roles\n`,
      stderr: '',
    });
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(project.credentials['x-app-token']);
    expect((await loadFile(text)).project.id).toBe(project.id);
  });

  test('leaves a file alone that is there, unless it is told to replace it', async () => {
    const path = join(folder, uniqueId('file-'));
    await writeFile(path, 'mine');
    expect(await run(project.id, path)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The project file ${path} is there already.\n`,
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    // Before it reads anything: not even whether there is such a project.
    expect((await run(uniqueId('proj_'), path)).stderr).toBe(`The project file ${path} is there already.\n`);
    expect((await run('--force', project.id, path)).code).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8')).project.id).toBe(project.id);
    expect((await readdir(folder)).filter((name) => name.startsWith('.tessera'))).toEqual([]);
  });

  test('tells of a project that is not there', async () => {
    const unknown = uniqueId('proj_');
    expect(await run(unknown, join(folder, 'x'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `project ${unknown}: no project has this id, code or name\n`,
    });
  });

  test('tells of a folder that is not there', async () => {
    expect(await run(project.id, '/nowhere/x.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The project file /nowhere/x.json cannot be written (ENOENT).\n',
    });
  });

  test('explains itself, and ends with 2 when it is called wrongly', async () => {
    const help = expect.stringContaining('npm run export -- PROJECT FILE');
    expect(await run('--help')).toMatchObject({ code: 0, stdout: help });
    for (const args of [[], ['proj_x'], ['a', 'b', 'c'], ['--all']]) {
      expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: help });
    }
  });
});
