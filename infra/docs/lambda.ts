import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftOutIn, withoutLeftOut } from '../left-out.ts';
import { createPublicHandler } from './handler.ts';
import { leaveOutOperations } from './left-out-operations.ts';
import { requestLinesFile, type ServedLine } from './public-reply.ts';

/** `infra/aws/bundle.ts` writes the files next to the bundle. */
const folder = join(import.meta.dirname, 'files');

const files = new Map(readdirSync(folder).map((name) => [name.replace(/\.gz$/, ''), readFileSync(join(folder, name))]));

const allLines: readonly ServedLine[] = JSON.parse(readFileSync(join(import.meta.dirname, requestLinesFile), 'utf8'));
const requestLines = withoutLeftOut(allLines, leftOutIn(process.env));

/** Lambda calls this handler for the docs, and for unknown paths. */
export const handler = createPublicHandler({
  files: leaveOutOperations(files, allLines, requestLines),
  home: process.env.HOME_PAGE ?? '/docs',
  requestLines,
  log: (line) => process.stdout.write(`${line}\n`),
});
