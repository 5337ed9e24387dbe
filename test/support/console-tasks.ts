import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noBrowser, openBrowser } from './browser.ts';
import { type OpenConsole, openConsole } from './console.ts';
import { uniqueId } from './dependencies.ts';
import { killLaunched, serve } from './npm-start.ts';

export interface TaskConsole extends OpenConsole {
  readonly address: string;
}

/** Starts the server of `npm start` for a file of tests, and returns what makes tests of its console. */
export function consoleTasks({
  env = {},
  ...options
}: BrowserContextOptions & { env?: Readonly<Record<string, string>> } = {}): (
  name: string,
  act: (open: TaskConsole) => Promise<void>,
) => void {
  let browser: Browser | undefined;
  let open: TaskConsole;

  beforeAll(async () => {
    browser = await openBrowser();
    if (!browser) return;
    const { address } = await serve({ TABLE_NAME: uniqueId('tessera-console-'), ...env });
    open = { ...(await openConsole(browser, address, options)), address };
  });

  afterAll(async () => {
    await browser?.close();
    killLaunched();
  });

  return (name, act) =>
    test(name, async ({ skip }) => {
      if (!browser) return skip(noBrowser);
      await act(open);
      expect(open.faults).toEqual([]);
    });
}
