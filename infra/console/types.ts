import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../command-line.ts';
import { writeTypes } from './api-types.ts';

const usage = `Writes the types of the API for the console to .dist/console/api.d.ts.

  npm run console-types
`;

await runCommand({ usage, options: {} }, async () => {
  const file = join(import.meta.dirname, '../../.dist/console/api.d.ts');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, writeTypes());
  return '';
});
