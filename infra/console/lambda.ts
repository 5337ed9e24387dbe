import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConsoleHandler } from './handler.ts';

/** `infra/aws/bundle.ts` writes the files next to the bundle. */
const folder = join(import.meta.dirname, 'files');

const files = new Map(readdirSync(folder).map((name) => [name.replace(/\.gz$/, ''), readFileSync(join(folder, name))]));

export const handler = createConsoleHandler({
  files: () => files,
  log: (line) => process.stdout.write(`${line}\n`),
});
