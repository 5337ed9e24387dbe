import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consoleFiles } from '../console/files.ts';
import { docsFiles } from '../docs/files.ts';

/** Maps functions to the files that they serve. */
const served: Readonly<Record<string, () => Promise<ReadonlyMap<string, Buffer>>>> = {
  docs: () => docsFiles(),
  console: () => consoleFiles(),
};

/** Writes files beside the bundles that serve them. They are no code, and `gzipBytes` leaves them out. */
export async function writeServedFiles(outDir: string, names: readonly string[]): Promise<void> {
  for (const [name, build] of Object.entries(served).filter(([one]) => names.includes(one))) {
    const folder = join(outDir, name, 'files');
    await mkdir(folder);
    for (const [file, gzipped] of await build()) await writeFile(join(folder, `${file}.gz`), gzipped);
  }
}
