import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uniqueId } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { loadFile, loadProject, type TestProject } from '../../support/project.ts';

let folder: string;
let project: TestProject;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  project = await loadProject({ roles: [{ id: 'role_editor', name: 'Editor' }] });
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => operate('export', args);

describe('the export command', () => {
  test('reports what it has written, and the file loads', async () => {
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

  test('leaves an existing file alone unless --force is given', async () => {
    const path = join(folder, uniqueId('file-'));
    await writeFile(path, 'mine');
    expect(await run(project.id, path)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The project file ${path} exists already.\n`,
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    // The file is checked before any read, even of the project.
    expect((await run(uniqueId('proj_'), path)).stderr).toBe(`The project file ${path} exists already.\n`);
    expect((await run('--force', project.id, path)).code).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8')).project.id).toBe(project.id);
    expect((await readdir(folder)).filter((name) => name.startsWith('.tessera'))).toEqual([]);
  });

  test('reports a missing project', async () => {
    const unknown = uniqueId('proj_');
    expect(await run(unknown, join(folder, 'x'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `project ${unknown}: no project has this id\n`,
    });
  });

  test('reports a missing folder', async () => {
    expect(await run(project.id, '/nowhere/x.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The project file /nowhere/x.json cannot be written (ENOENT).\n',
    });
  });

  test('explains itself, and ends with 2 on a wrong command line', async () => {
    const help = expect.stringContaining('npm run export -- PROJECT FILE');
    expect(await run('--help')).toMatchObject({ code: 0, stdout: help });
    for (const args of [[], ['proj_x'], ['a', 'b', 'c'], ['--all']]) {
      expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: help });
    }
  });
});
