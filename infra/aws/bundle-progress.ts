import { splitIntoBatches } from '#kernel/table/batches.ts';
import type { Bundle } from './bundle.ts';

type Bundles = Readonly<Record<string, Bundle>>;

/** A whole synthesis says some fifteen times how far it is. It is also the batch of esbuild's runs. */
const functionsOfStep = 16;

/** Bundles functions step by step, and says after each step how many are done. */
export async function bundleInSteps(
  names: readonly string[],
  bundle: (some: readonly string[]) => Promise<Bundles>,
  say: (words: string) => void,
): Promise<Bundles> {
  let bundles: Bundles = {};
  for await (const some of splitIntoBatches(names, functionsOfStep)) {
    bundles = { ...bundles, ...(await bundle(some)) };
    say(`${Object.keys(bundles).length} of ${names.length} functions are bundled.\n`);
  }
  say("The templates are made and checked by AWS's rules.\n");
  return bundles;
}
