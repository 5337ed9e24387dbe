import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../infra/command-line.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { consoleScreens, openConsole } from '../support/console.ts';

const folder = join(import.meta.dirname, '../../.dist/console-pictures');

const usage = `Takes a picture of each screen of a running console, light and dark, wide and narrow.

  npm run console-pictures -- ADDRESS    such as http://127.0.0.1:3000

It writes them to .dist/console-pictures. Look at them after each change of the console.
`;

const options = {
  readme: { type: 'boolean', words: 'writes docs/console.png for the README, and nothing else' },
} as const;

/** Shows the screen that explains the service best. */
async function takeForReadme(address: string): Promise<string> {
  const browser = await openBrowser();
  if (!browser) return `${noBrowser}\n`;
  const { page, show } = await openConsole(browser, address, { viewport: { width: 1360, height: 820 } });
  await show(consoleScreens.simulator ?? '');
  const file = join(import.meta.dirname, '../../docs/console.png');
  await page.screenshot({ path: file });
  await browser.close();
  return `${file}\n`;
}

async function takeAll(address: string): Promise<string> {
  const browser = await openBrowser();
  if (!browser) return `${noBrowser}\n`;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1360, 390]) {
      const { context, page, show } = await openConsole(browser, address, {
        colorScheme,
        viewport: { width, height: 860 },
      });
      for (const [name, path] of Object.entries(consoleScreens)) {
        await show(path);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
      }
      await context.close();
    }
  }
  await browser.close();
  return `${folder}\n`;
}

await runCommand({ usage, options, positionals: { least: 1, most: 1 } }, ({ values, positionals: [address = ''] }) =>
  values.readme ? takeForReadme(address) : takeAll(address),
);
