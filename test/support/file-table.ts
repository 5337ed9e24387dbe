import { join } from 'node:path';
import { inject } from 'vitest';
import { makeFileTable } from './dependencies.ts';

// Halves the start of each command and server that a test runs as a process of its own. A worker itself, which reads each file once, would only write it.
process.env.NODE_COMPILE_CACHE = join(inject('bundlesDir'), 'compiled');

await makeFileTable();
