import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOpenapiDocument } from '../../infra/openapi/document.ts';
import { structureOf } from './document-structure.ts';

// Run this at a release, and when an operation changes on purpose: the file has the structure that callers rely on.
await writeFile(
  join(import.meta.dirname, 'released-document.json'),
  `${JSON.stringify(structureOf(buildOpenapiDocument()), null, 2)}\n`,
);
