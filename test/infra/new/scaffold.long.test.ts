import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runTests } from '../../mutations/run-tests.ts';
import { withCopy } from '../../mutations/tree.ts';

const run = promisify(execFile);
const anHour = 3_600_000;

/** Tests that read every operation. The slow ones belong to a long run. */
const ofEveryOperation = [
  'test/rooms.test.ts',
  'test/infra/openapi-completeness.test.ts',
  'test/infra/openapi-words.test.ts',
  'test/infra/readme.test.ts',
  ...(process.env.LONG_TESTS
    ? [
        'test/functions/hostile-input.test.ts',
        'test/functions/lists.test.ts',
        'test/functions/other-projects.test.ts',
        'test/lib/kernel/http/roles.long.test.ts',
        'test/lib/addons/admin/project-file/pasted-replies.long.test.ts',
        'test/over-api/over-api.long.test.ts',
      ]
    : []),
];

const guarantee =
  'a new operation and a new resource pass the compiler, the linter, their tests and the tests of every operation';

test(guarantee, { timeout: anHour }, () =>
  withCopy(async (folder) => {
    const program = (path: string, ...args: string[]) =>
      run(process.execPath, [join(folder, path), ...args], { cwd: folder, maxBuffer: 16 * 1024 ** 2 });
    const made = [
      await program('infra/new/new.ts', 'operation', 'locations/count-locations'),
      await program('infra/new/new.ts', 'resource', 'gift-box', '--room', 'customers'),
    ];
    const written = made.flatMap(({ stdout }) => [...stdout.matchAll(/^wrote +(.*)$/gm)].map(([, path = '']) => path));
    expect(written).toHaveLength(10);
    await program('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...written);
    await program('node_modules/knip/bin/knip.js');
    await run('npm', ['exec', '--', 'tsc'], { cwd: folder, maxBuffer: 16 * 1024 ** 2 });

    const files = [...written.filter((path) => path.endsWith('.test.ts')), ...ofEveryOperation];
    const results = (await runTests(folder, { files, stopsAtFailure: false, limitInMs: anHour })) ?? [];
    expect(results.filter(({ isPassed }) => !isPassed)).toEqual([]);
    expect(results.map(({ path }) => path).sort()).toEqual(files.sort());

    // A second run of the same name changes nothing.
    const before = await readFile(join(folder, 'infra/local/demo-project.json'), 'utf8');
    const again = program('infra/new/new.ts', 'resource', 'gift-box', '--room', 'customers');
    await expect(again).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('functions/gift-boxes exists'),
    });
    expect(await readFile(join(folder, 'infra/local/demo-project.json'), 'utf8')).toBe(before);
  }),
);
