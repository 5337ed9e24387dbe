import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openapiDocument } from '../openapi.ts';

const given = process.argv[2];
const file = given === undefined ? join(import.meta.dirname, '..', '..', '.dist', 'openapi.json') : resolve(given);
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(openapiDocument(), null, 2)}\n`);
process.stdout.write(`${file}\n`);
