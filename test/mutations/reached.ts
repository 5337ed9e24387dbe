import { appendFileSync } from 'node:fs';

/** Names the file that a run notes in which tests reach which conditions. */
export const noteTo = 'MUTATIONS_REACHED';

const noted = new Set<string>();

/** Notes once which test file comes here. Vitest keeps the file that a worker is at in this global; a process of a test has none. */
export function reached<T>(id: number, it: T): T {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { filepath?: string } };
  const path = process.env[noteTo];
  const line = `${id}\t${worker?.filepath}\n`;
  if (!path || !worker?.filepath || noted.has(line)) return it;
  noted.add(line);
  appendFileSync(path, line);
  return it;
}
