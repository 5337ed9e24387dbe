import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPreflightHandler } from './preflights.ts';
import { requestLinesFile } from './public-reply.ts';

/** Answers preflights in a separate function, so that a flood on the docs does not stop browsers from calling. */
export const handler = createPreflightHandler({
  requestLines: JSON.parse(readFileSync(join(import.meta.dirname, requestLinesFile), 'utf8')),
  log: (line) => process.stdout.write(`${line}\n`),
});
