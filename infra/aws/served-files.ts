import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { consoleFiles } from '../console/files.ts';
import { docsFiles } from '../docs/files.ts';

const queriesFolder = join(import.meta.dirname, '..', 'reports');

/** Returns the queries of reports, gzipped. */
async function reportFiles(): Promise<Map<string, Buffer>> {
  const names = (await readdir(queriesFolder)).filter((name) => name.endsWith('.sql'));
  const texts = names.map(async (name) => [name, gzipSync(await readFile(join(queriesFolder, name)))] as const);
  return new Map(await Promise.all(texts));
}

/** Maps functions to the files that they serve or read. */
const served: Readonly<Record<string, () => Promise<ReadonlyMap<string, Buffer>>>> = {
  docs: () => docsFiles(),
  console: () => consoleFiles(),
  'make-report': reportFiles,
  'job-worker': reportFiles,
};

/** Writes files beside the bundles that serve them. They are no code, and `gzipBytes` leaves them out. */
export async function writeServedFiles(outDir: string, names: readonly string[]): Promise<void> {
  for (const [name, build] of Object.entries(served).filter(([one]) => names.includes(one))) {
    const folder = join(outDir, name, 'files');
    await mkdir(folder);
    for (const [file, gzipped] of await build()) await writeFile(join(folder, `${file}.gz`), gzipped);
  }
}
