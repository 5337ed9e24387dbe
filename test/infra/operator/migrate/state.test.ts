import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ForeignFolder, Progress } from '../../../../infra/operator/migrate/state.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

const migration = { from: 'https://source.example', project: 'proj_shop' };

async function begun() {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-progress-'));
  folders.push(folder);
  return { folder, log: join(folder, 'state.log'), progress: await Progress.open(folder, migration) };
}

test('a death between or within notes loses none of the notes before it', async () => {
  const { folder, log, progress } = await begun();
  await progress.note('customers', { at: '2/100', bytes: 40 });
  await progress.note('customers', { done: true });
  await progress.note('orders', { at: '5/400', bytes: 90 });
  await appendFile(log, '{"ended":0,"name":"orders","step":{"do');
  const second = await Progress.open(folder, migration);
  expect([second.step('customers'), second.step('orders')]).toEqual([{ done: true }, { at: '5/400', bytes: 90 }]);
  await second.note('orders', { done: true });
  const third = await Progress.open(folder, migration);
  expect([third.step('customers'), third.step('orders')]).toEqual([{ done: true }, { done: true }]);
});

test('a death at the end of a run, with its notes left behind, does not pass them on to the next run', async () => {
  const { folder, log, progress } = await begun();
  await progress.note('customers', { done: true });
  const notes = await readFile(log);
  await progress.end();
  await writeFile(log, notes);
  const next = await Progress.open(folder, migration);
  expect([next.ended, next.step('customers')]).toEqual([1, {}]);
  await next.note('customers', { at: '2/100', bytes: 7 });
  expect((await Progress.open(folder, migration)).step('customers')).toEqual({ at: '2/100', bytes: 7 });
});

test('a note costs the same, however many steps are done', async () => {
  const { folder, log, progress } = await begun();
  const sizes: number[] = [];
  for (let index = 0; index < 200; index++) {
    await progress.note(`skus.${String(index).padStart(4, '0')}`, { done: true });
    sizes.push((await stat(log)).size);
  }
  const lengths = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
  expect(new Set(lengths).size).toBe(1);
  expect((await stat(join(folder, 'state.json'))).size).toBeLessThan(200);
  expect((await Progress.open(folder, migration)).step('skus.0123')).toEqual({ done: true });
  expect(await readdir(folder)).toEqual(['state.json']);
});

test('a folder in which nothing was read is free for another source, and any other one is refused', async () => {
  const { folder } = await begun();
  const corrected = { ...migration, from: 'https://shop.example' };
  const progress = await Progress.open(folder, corrected);
  await progress.note('categories', { at: '2', bytes: 10 });
  await expect(Progress.open(folder, migration)).rejects.toThrow('has a migration from https://shop.example');
  await progress.end();
  await expect(Progress.open(folder, migration)).rejects.toThrow(ForeignFolder);
  expect((await Progress.open(folder, corrected)).ended).toBe(1);
});
