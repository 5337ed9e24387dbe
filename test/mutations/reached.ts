import { appendFileSync } from 'node:fs';

/** Names the file in which a run records which tests reach which conditions. */
export const noteTo = 'MUTATIONS_REACHED';

const noted = new Set<string>();

/** Records once which test file reaches this. Vitest keeps a worker's current file in this global. A test's process has none. */
export function reached<T>(id: number, it: T): T {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { filepath?: string } };
  const path = process.env[noteTo];
  const line = `${id}\t${worker?.filepath}\n`;
  if (!path || !worker?.filepath || noted.has(line)) return it;
  noted.add(line);
  appendFileSync(path, line);
  return it;
}
