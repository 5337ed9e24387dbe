import { randomUUID } from 'node:crypto';

/** Distinguishes runs, so that names and transaction ids are fresh in each. */
const run = randomUUID();
let made = 0;

export function fresh(): string {
  made += 1;
  return `${run}-${made}`;
}
