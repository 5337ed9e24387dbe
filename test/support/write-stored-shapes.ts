import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedShapes } from './stored-shapes.ts';

// Run at a release, and at no other time: the file says what the release before has stored.
await writeFile(
  join(import.meta.dirname, 'released-shapes.json'),
  `${JSON.stringify({ shapes: await storedShapes() })}\n`,
);
