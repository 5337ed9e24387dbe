import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicHandler } from './handler.ts';
import { requestLinesFile } from './public-reply.ts';

/** `infra/aws/bundle.ts` writes the files beside the bundle. */
const folder = join(import.meta.dirname, 'files');

const files = new Map(readdirSync(folder).map((name) => [name.replace(/\.gz$/, ''), readFileSync(join(folder, name))]));

/** Lambda calls this handler for the docs, and for unknown paths. */
export const handler = createPublicHandler({
  files: () => files,
  home: process.env.HOME_PAGE ?? '/docs',
  requestLines: JSON.parse(readFileSync(join(import.meta.dirname, requestLinesFile), 'utf8')),
  log: (line) => process.stdout.write(`${line}\n`),
});
