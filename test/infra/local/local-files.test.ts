import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileAreas } from '#kernel/core/files/files.ts';
import { openKeptFiles } from '../../../infra/local/local-files.ts';
import { startQueueService } from '../../../infra/local/queue-service.ts';
import { testDependencies, uniqueId } from '../../support/dependencies.ts';

const place = { area: 'exports', projectId: 'proj_1', place: 'exp_1.csv', name: 'a.csv', type: 'text/csv' } as const;

test('files come back after a restart on the same folder, and are deleted when their time is over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const at = (area: 'exports' | 'parts', place: string) => ({ area, projectId: 'proj_1', place });
  const [file, part] = [at('exports', 'exp_1.csv'), at('parts', 'exp_1/1')];
  const kind = { name: 'vouchers é.csv', type: 'text/csv' };
  const first = await startQueueService(folder);
  await first.files.put({ ...part, ...kind, content: 'replaced' });
  await first.files.put({ ...part, ...kind, content: 'Code\nÅ\n' });
  await first.files.join({ ...file, ...kind }, [part]);
  await first.files.remove(part);
  await first.stop();

  const second = await startQueueService(folder);
  const reply = await fetch(await second.files.link(file));
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, 'text/csv', 'Code\nÅ\n']);
  expect(reply.headers.get('content-disposition')).toContain('vouchers%20%C3%A9.csv');
  await expect(second.files.read(part)).rejects.toThrow();
  await second.stop();

  const kept = join(folder, 'files');
  const longAgo = new Date(Date.now() - 91 * 86_400_000);
  for (const each of await readdir(kept)) await utimes(join(kept, each), longAgo, longAgo);
  const third = await startQueueService(folder);
  await expect(third.files.read(file)).rejects.toThrow();
  await third.stop();
  await rm(folder, { recursive: true });
});

test.each(fileAreas)('a file of the area %s comes back after a restart', async (area) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const { files } = testDependencies();
  const warnings: string[] = [];
  const open = () => openKeptFiles(folder, files, (line) => warnings.push(line));
  const file = { area, projectId: uniqueId('proj_'), place: 'one.csv' };
  await (await open()).put({ ...file, name: 'one.csv', type: 'text/csv', content: 'Code' });
  await files.remove(file);
  await open();
  expect([await files.read(file), warnings]).toEqual(['Code', []]);
  await rm(folder, { recursive: true });
});

test('a file that waits for its import comes back after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const upload = { area: 'uploads', projectId: 'proj_1', place: 'upl_1_9.csv' } as const;
  const first = await startQueueService(folder);
  const url = await first.files.address(upload, 10);
  expect((await fetch(url, { method: 'PUT', body: 'Code\nÅÄ\n' })).status).toBe(200);
  const before = await first.files.state(upload);
  await first.stop();

  const second = await startQueueService(folder);
  expect(await second.files.state(upload)).toEqual(before);
  expect(await second.files.read(upload)).toBe('Code\nÅÄ\n');
  await second.stop();
  await rm(folder, { recursive: true });
});

test('an unreadable file is reported and skipped, and the others come back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const { files } = testDependencies();
  const warnings: string[] = [];
  const first = await openKeptFiles(folder, files, (line) => warnings.push(line));
  await first.put({ ...place, content: 'Code\n' });
  await files.remove(place);
  await writeFile(join(folder, 'empty.json'), '');
  await writeFile(join(folder, 'torn.json'), '{"area":"exports","proj');
  await writeFile(join(folder, 'other.json'), '{"area":"attic"}');
  expect(warnings).toEqual([]);

  const second = await openKeptFiles(folder, files, (line) => warnings.push(line));
  expect(await second.read(place)).toBe('Code\n');
  const because = (name: string, why: string) => expect.stringContaining(`${join(folder, name)} is skipped: ${why}`);
  expect(warnings.toSorted()).toEqual([
    because('empty.json', 'the file is empty'),
    because('other.json', 'the file has no content'),
    because('torn.json', 'the file is not JSON'),
  ]);
  await rm(folder, { recursive: true });
});

test('a process that is killed during a write leaves no torn file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const program = `
    import { openKeptFiles } from './infra/local/local-files.ts';
    const files = await openKeptFiles(process.argv[1], { put: async () => {} }, () => {});
    const file = ${JSON.stringify(place)};
    for (let round = 0; ; round += 1) {
      await files.put({ ...file, content: String(round % 10).repeat(2_000_000) });
      if (round === 0) process.stdout.write('begun');
    }`;
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    expect(String(said)).toBe('begun');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { files } = testDependencies();
    const warnings: string[] = [];
    const kept = await openKeptFiles(folder, files, (line) => warnings.push(line));
    expect(warnings).toEqual([]);
    expect(await kept.read(place)).toMatch(/^(\d)\1{1999999}$/);
    // The folder has no unfinished file.
    expect(await readdir(folder)).toHaveLength(1);
  }
  await rm(folder, { recursive: true });
});
