import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A query may end with a part that it shares with others. */
const rest = /^-- The rest is (parts\/[a-z-]+\.sql)\.\n/m;

/** Returns the names of all queries. */
export async function listQueries(): Promise<string[]> {
  const files = await readdir(import.meta.dirname);
  return files.flatMap((file) => (file.endsWith('.sql') ? [file.slice(0, -'.sql'.length)] : []));
}

/** Returns the text of a query, with its shared part. */
export async function readQuery(name: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, `${name}.sql`), 'utf8');
  const [line = '', part] = rest.exec(text) ?? [];
  return part === undefined ? text : text.replace(line, await readFile(join(import.meta.dirname, part), 'utf8'));
}
