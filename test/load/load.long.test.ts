import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isLong } from '../support/sampled.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs `npm run load-test` with rounds of less than a second. Files that it does not remove are visible in `folder`. */
function launch(args: readonly string[], env: Record<string, string> = {}) {
  const short = ['--seconds', '0.5', '--warm-up', '0.2', '--rounds', '1', '--connections', '4'];
  const child = spawn(process.execPath, ['test/load/run.ts', ...short, ...args], {
    // The native engine is used if it runs, as in `npm start`. No test here depends on the engine.
    env: { ...process.env, DYNAMODB_ENGINE: '', TMPDIR: folder, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exit = once(child, 'close').then(([code]) => ({ code, output }));
  const seen = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      exit.then(() => reject(new Error(output)));
    });
  return { child, exit, seen };
}

const leftBehind = async () => (await readdir(folder)).filter((name) => name.startsWith('tessera-'));

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test('mixed traffic on the local server has no errors, the books agree, and nothing is left behind', async () => {
  const path = join(folder, 'report.json');
  const { code, output } = await launch(['--json', path]).exit;
  expect(output).toContain('The budget is kept.');
  expect(code).toBe(0);
  const report = JSON.parse(await readFile(path, 'utf8'));
  expect(report).toMatchObject({ total: { errors: 0 }, broken: [], audit: { faults: [] } });
  expect(report.total.count).toBeGreaterThan(0);
  expect(await leftBehind()).toEqual([]);
});

/** A quick run starts the server only for correct traffic. A long run also starts it for errors and interruption. */
test.each(isLong ? ['20'] : [])(
  'a limit of %s calls a minute breaks the budget: the test exits with 1 and names the refused calls',
  async (limit) => {
    const { code, output } = await launch([], { RATE_LIMIT_PER_MINUTE: limit }).exit;
    expect(output).toContain('The budget is broken:');
    expect(output).toContain('too_many_requests');
    expect(code).toBe(1);
    expect(await leftBehind()).toEqual([]);
  },
);

test.each(isLong ? (['SIGINT', 'SIGKILL'] as const) : [])(
  '%s half-way leaves neither server nor folder behind',
  async (signal) => {
    const { child, exit, seen } = launch(['--seconds', '600']);
    const server = await seen(/ at (http:\S+)/);
    await seen(/(round 1)/);
    child.kill(signal);
    await exit;
    // The server notices SIGKILL a moment later, and this test waits for it.
    while (await answers(`${server}/healthz`));
    while ((await leftBehind()).length > 0);
  },
);
