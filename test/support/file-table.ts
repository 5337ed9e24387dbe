import { makeFileTable } from './dependencies.ts';

await makeFileTable();
