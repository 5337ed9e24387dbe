import { join } from 'node:path';
import { type Bundle, bundleFile } from '../../infra/aws/bundle.ts';
import { loadBundles } from '../../infra/aws/bundle-store.ts';
import { functionNameOf } from '../../infra/aws/shared-families.ts';
import type { Operation } from '../../infra/operations.ts';
import type { Places } from './benchmark.ts';

const sides = join(import.meta.dirname, 'sides');

export type Bundles = Readonly<Record<string, Bundle>>;

/** Bundles the measured functions. The floor is bundled in the same way, so both use the same SDK code. */
export async function bundleBoth({ workDir, bundlesDir }: Places, measured: readonly Operation[]): Promise<Bundles> {
  const floor = await bundleFile(join(sides, 'floor.ts'), join(workDir, 'floor'));
  return { ...(await loadBundles(bundlesDir, [...new Set(measured.map(functionNameOf))])), floor };
}

/** Returns the bundle's main file, and throws if the bundle is missing. */
export function entryOf(bundles: Bundles, name: string): string {
  const bundle = bundles[name];
  if (!bundle) throw new Error(`there is no bundle of ${name}`);
  return join(bundle.dir, 'index.mjs');
}
