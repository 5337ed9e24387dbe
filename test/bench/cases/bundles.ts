import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFile, bundleFunctions, maxGzipBytes } from '../../../infra/bundle.ts';
import { type Benchmark, median } from '../benchmark.ts';

const rounds = 31;
/** Of a function's import time to that of the SDK alone: what our own code may add to a cold start. */
const maxRatio = 1.25;

const run = promisify(execFile);

/** In a process of its own, with the options that the deployed function has. */
async function importMilliseconds(dir: string): Promise<number> {
  const url = JSON.stringify(pathToFileURL(join(dir, 'index.mjs')));
  const script = `const start = performance.now(); await import(${url}); console.log(performance.now() - start);`;
  const { stdout } = await run(process.execPath, ['--enable-source-maps', '--input-type=module', '--eval', script]);
  return Number(stdout);
}

/** Turn by turn, so that whatever else the machine does falls on both. */
async function alternately(a: string, b: string): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(await importMilliseconds(a));
    times[1].push(await importMilliseconds(b));
  }
  return [median(times[0]), median(times[1])];
}

export const benchmark: Benchmark = {
  title: `Bundles: size and import time beside the SDK alone (medians of ${rounds})`,
  measure: async (workDir) => {
    const sdk = await bundleFile(join(import.meta.dirname, '..', 'sdk-only.ts'), join(workDir, 'sdk-only'));
    const bundles = await bundleFunctions(join(workDir, 'functions'));
    const rows = [];
    for (const [name, { dir, gzipBytes }] of [['sdk-only', sdk], ...Object.entries(bundles)] as const) {
      const [ours, bare] = await alternately(dir, sdk.dir);
      const ratio = ours / bare;
      rows.push({
        name,
        values: {
          'gzipped bytes': String(gzipBytes),
          'import ms': ours.toFixed(1),
          'SDK alone ms': bare.toFixed(1),
          ratio: ratio.toFixed(2),
        },
        broken: [
          ...(gzipBytes > maxGzipBytes ? [`more than ${maxGzipBytes} bytes`] : []),
          ...(ratio > maxRatio ? [`ratio above ${maxRatio}`] : []),
        ],
      });
    }
    return rows;
  },
};
