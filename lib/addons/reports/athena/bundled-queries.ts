import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Reads a query of a bundle. infra/aws/served-files.ts writes the queries next to the bundle. */
export async function readBundledQuery(name: string): Promise<string> {
  return gunzipSync(await readFile(join(import.meta.dirname, 'files', `${name}.sql.gz`))).toString();
}
