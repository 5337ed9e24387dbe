import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openEngine } from '../../infra/local/facts/duckdb.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true }))));

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tessera-spill-'));
  folders.push(path);
  return path;
}

test('A query that needs more than its memory goes to the disk, beside another engine that does the same', async () => {
  const folder = await newFolder();
  const countGroups = async () => {
    const instance = await openEngine(folder, { memory: '40MB' });
    const connection = await instance.connect();
    const groups = "SELECT 'code ' || i AS code, count(*) AS uses FROM range(1000000) t(i) GROUP BY ALL";
    const rows = await connection.runAndReadAll(`SELECT count(*) FROM (${groups} ORDER BY uses, code)`);
    connection.closeSync();
    instance.closeSync();
    return Number(rows.getRows()[0]?.[0]);
  };
  expect(await Promise.all([countGroups(), countGroups()])).toEqual([1_000_000, 1_000_000]);
  expect(await readdir(join(folder, 'spill'))).toEqual([]);
});

test('An engine removes what a killed process has left on the disk, and leaves what a running one uses', async () => {
  const folder = await newFolder();
  // No process has this number. One that has ended may give its own to another.
  const ended = 2 ** 30;
  for (const pid of [ended, process.ppid]) {
    await mkdir(join(folder, 'spill', `${pid}-1`), { recursive: true });
    await writeFile(join(folder, 'spill', `${pid}-1`, 'part.tmp'), 'x');
  }
  (await openEngine(folder)).closeSync();
  expect(await readdir(join(folder, 'spill'))).toEqual([`${process.ppid}-1`]);
});
