import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFile, functionNames, maxGzipBytes } from '../../../infra/aws/bundle.ts';
import { loadBundles } from '../../../infra/aws/bundle-store.ts';
import { evenly } from '../../support/sampled.ts';
import { type Benchmark, type Measurement, median, sizeOf } from '../benchmark.ts';

const rounds = sizeOf({ trial: 1, usual: 7, long: 31 });
/** The number of functions that are bundled, evenly spread. Each takes half a second. */
const bundled = sizeOf({ trial: 4, usual: 24, long: Number.POSITIVE_INFINITY });
/** The number of functions whose start is measured. Each start takes a tenth of a second. */
const started = sizeOf({ trial: 2, usual: 8, long: Number.POSITIVE_INFINITY });
/** The highest import time of a function, as a multiple of the SDK's. It limits what our own code adds to a cold start. */
const maxRatio = 1.15;

const run = promisify(execFile);

/** Measures in a separate process without Node options, like the deployed function. */
async function importMilliseconds(dir: string): Promise<number> {
  const url = JSON.stringify(pathToFileURL(join(dir, 'index.mjs')));
  const script = `const start = performance.now(); await import(${url}); console.log(performance.now() - start);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout);
}

/** Measures the folders in turns, so that other work of the machine slows all alike. */
async function inTurns(dirs: readonly string[]): Promise<number[][]> {
  const times = dirs.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, dir] of dirs.entries()) times[index]?.push(await importMilliseconds(dir));
  }
  return times;
}

const shown = (times: readonly number[]) => `${Math.min(...times).toFixed(1)} / ${median(times).toFixed(1)}`;

export const benchmark: Benchmark = {
  title: `Bundles: size, and import beside the SDK alone (${rounds} starts each, in turns)`,
  measure: async ({ workDir, bundlesDir }) => {
    const sdk = await bundleFile(join(import.meta.dirname, '..', 'sdk-only.ts'), join(workDir, 'sdk-only'));
    const bundles = {
      'sdk-only': sdk,
      ...(await loadBundles(bundlesDir, evenly(functionNames, bundled))),
    };
    const measured = evenly(Object.keys(bundles), started);
    const rows: Measurement[] = [];
    for (const [name, { dir, gzipBytes }] of Object.entries(bundles)) {
      const tooLarge = gzipBytes > maxGzipBytes ? [`more than ${maxGzipBytes} bytes`] : [];
      if (!measured.includes(name)) {
        rows.push({ name, values: { 'gzipped bytes': String(gzipBytes) }, broken: tooLarge });
        continue;
      }
      const [before = [], ours = [], after = []] = await inTurns([sdk.dir, dir, sdk.dir]);
      const alone = [...before, ...after];
      const ratio = median(ours) / median(alone);
      rows.push({
        name,
        values: {
          'gzipped bytes': String(gzipBytes),
          'import ms (min / median)': shown(ours),
          'SDK alone ms': shown(alone),
          'ratio of minima': (Math.min(...ours) / Math.min(...alone)).toFixed(2),
          'of medians': ratio.toFixed(2),
          // The SDK is compared with itself. This shows the noise of a ratio on this machine.
          noise: (median(after) / median(before)).toFixed(2),
        },
        broken: [...tooLarge, ...(ratio > maxRatio ? [`ratio above ${maxRatio}`] : [])],
      });
    }
    return rows;
  },
};
