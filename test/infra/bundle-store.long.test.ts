import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadBundles } from '../../infra/aws/bundle-store.ts';

const names = ['get-category', 'introspect-token'];

test('parallel processes with overlapping functions share one folder of whole bundles, each made once', async () => {
  const storeDir = await mkdtemp(join(tmpdir(), 'tessera-store-'));
  onTestFinished(() => rm(storeDir, { recursive: true }));
  const [both, one] = await Promise.all([loadBundles(storeDir, names), loadBundles(storeDir, names.slice(1))]);
  expect(Object.keys(both)).toEqual(names);
  expect(one['introspect-token']).toEqual(both['introspect-token']);
  const contents = async () =>
    Promise.all(Object.values(both).map(({ dir }) => readFile(join(dir, 'index.mjs'), 'utf8')));
  const made = await contents();
  expect(made.filter((code) => !code.includes('handler'))).toEqual([]);
  // Bundles of the same sources are found again, and no unfinished bundle remains.
  expect(await loadBundles(storeDir, names)).toEqual(both);
  expect(await contents()).toEqual(made);
  const [ofSources, ...others] = await readdir(storeDir);
  expect(others).toEqual([]);
  expect((await readdir(join(storeDir, ofSources ?? ''))).sort()).toEqual(names);
});
