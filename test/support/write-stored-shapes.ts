import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedShapes } from './stored-shapes.ts';

// Run this only at a release. The file says what the previous release stores.
await writeFile(
  join(import.meta.dirname, 'released-shapes.json'),
  `${JSON.stringify({ shapes: await storedShapes() })}\n`,
);
