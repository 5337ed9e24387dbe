import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Complaint } from '../../../../infra/command-line.ts';
import { openRecording } from '../../../../infra/operator/shadow/recording.ts';

const folder = await mkdtemp(join(tmpdir(), 'tessera-record-'));
afterAll(() => rm(folder, { recursive: true }));

const silent = (words: string) => {
  throw new Error(`nothing should be said: ${words}`);
};

test('a record is appended to its file, line by line', async () => {
  const path = join(folder, 'till.jsonl');
  for (const line of ['{"a":1}', '{"b":2}']) {
    const recording = await openRecording(path, silent);
    recording.add(line);
    await recording.end();
  }
  expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"b":2}\n');
});

test('a file that cannot be opened is named before the proxy stands', async () => {
  const failed = openRecording(join(folder, 'no such folder', 'till.jsonl'), silent);
  await expect(failed).rejects.toThrow(Complaint);
  await expect(failed).rejects.toThrow(/^--record: ENOENT/);
});

test.runIf(process.platform === 'linux')('a full disk ends the record, and nothing else', async () => {
  const said: string[] = [];
  const isSaid = Promise.withResolvers<void>();
  const recording = await openRecording('/dev/full', (words) => {
    said.push(words);
    isSaid.resolve();
  });
  recording.add('{"a":1}');
  await isSaid.promise;
  recording.add('{"b":2}');
  await recording.end();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^--record: ENOSPC.*\. The proxy continues without a record\.$/);
});
