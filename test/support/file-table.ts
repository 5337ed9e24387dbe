import { join } from 'node:path';
import { inject } from 'vitest';
import { makeFileTable } from './dependencies.ts';

// Halves the start time of each command and server that a test runs as a process. The worker reads each file once, so it would only write
// this cache.
process.env.NODE_COMPILE_CACHE = join(inject('bundlesDir'), 'compiled');

await makeFileTable();
