import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsHandler } from './handler.ts';

/** Beside the bundle, where `infra/bundle.ts` puts them. */
const folder = join(import.meta.dirname, 'files');

/** What Lambda calls for the docs. */
export const handler = docsHandler(
  new Map(readdirSync(folder).map((name) => [name.replace(/\.gz$/, ''), readFileSync(join(folder, name))])),
  (line) => process.stdout.write(`${line}\n`),
);
