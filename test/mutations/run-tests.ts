import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

interface Assertion {
  readonly status: string;
  readonly fullName: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly Assertion[];
  }[];
}

export interface TestFile {
  readonly path: string;
  readonly isPassed: boolean;
  readonly tookInMs: number;
  /** Names the first failed test, if a test failed. */
  readonly failed: string | undefined;
}

interface Run {
  readonly files: readonly string[];
  readonly stopsAtFailure: boolean;
  readonly limitInMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

const isPosix = process.platform !== 'win32';

/** Runs test files of a copy. Returns undefined if they exceed their time. Leaves out files that were not run. */
export async function runTests(folder: string, run: Run): Promise<readonly TestFile[] | undefined> {
  const report = join(folder, '.dist', 'mutations.json');
  await rm(report, { force: true });
  const args = [
    ...[join(folder, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...run.files],
    ...['--reporter=json', `--outputFile=${report}`, ...(run.stopsAtFailure ? ['--bail=1'] : [])],
  ];
  // A separate process group ends with everything that vitest has started.
  const vitest = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...run.env },
    stdio: 'ignore',
    detached: isPosix,
  });
  const end = () => {
    if (isPosix && vitest.pid) process.kill(-vitest.pid, 'SIGKILL');
    else vitest.kill();
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, run.limitInMs);
  // Waits before the copy is removed, because vitest would still write to it.
  process.prependOnceListener('exit', end);
  await new Promise((resolve, reject) => vitest.once('exit', resolve).once('error', reject));
  process.off('exit', end);
  clearTimeout(timer);
  if (isLate) return undefined;
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  return testResults
    .filter(
      ({ status, assertionResults }) => status === 'failed' || assertionResults.some((one) => one.status === 'passed'),
    )
    .map(({ name, status, startTime, endTime, assertionResults }) => ({
      path: relative(folder, name).split(sep).join('/'),
      isPassed: status === 'passed',
      tookInMs: endTime - startTime,
      failed: assertionResults.find((one) => one.status === 'failed')?.fullName,
    }));
}
