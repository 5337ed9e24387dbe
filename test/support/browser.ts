import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Opens a browser. Returns undefined if the machine has none; a test then says that it has checked nothing. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path));
  if (executablePath === undefined) return undefined;
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], timeout: 240_000 });
}

export const noBrowser = `no browser at ${browsers.join(', ')}, and CHROMIUM names none`;
