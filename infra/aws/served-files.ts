import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { consoleFiles } from '../console/files.ts';
import { docsFiles } from '../docs/files.ts';
import { listQueries, readQuery } from '../reports/read-query.ts';

/** Returns the queries of reports, gzipped. */
async function reportFiles(): Promise<Map<string, Buffer>> {
  const texts = (await listQueries()).map(async (name) => [`${name}.sql`, gzipSync(await readQuery(name))] as const);
  return new Map(await Promise.all(texts));
}

/** Maps functions to the files that they serve or read. */
const served: Readonly<Record<string, () => Promise<ReadonlyMap<string, Buffer>>>> = {
  docs: () => docsFiles(),
  console: () => consoleFiles(),
  'make-report': reportFiles,
  'job-worker': reportFiles,
};

/** Writes files next to the bundles that serve them. They are not code, and `gzipBytes` leaves them out. */
export async function writeServedFiles(outDir: string, names: readonly string[]): Promise<void> {
  for (const [name, build] of Object.entries(served).filter(([one]) => names.includes(one))) {
    const folder = join(outDir, name, 'files');
    await mkdir(folder);
    for (const [file, gzipped] of await build()) await writeFile(join(folder, `${file}.gz`), gzipped);
  }
}
