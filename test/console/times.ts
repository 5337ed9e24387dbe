import { runCommand } from '../../infra/command-line.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { consoleScreens, openConsole } from '../support/console.ts';

const usage = `Measures how long each screen of a running console takes until everything is shown.

  npm run console-times -- ADDRESS    such as http://127.0.0.1:3000

Each screen is opened three times. The first time has an empty cache and a new connection.
Deep pages of the two long lists are among the screens.
`;

const deepPages = {
  'vouchers by code, page 100': '/vouchers?order=code&page=100',
  'vouchers that are off': '/vouchers?state=$disabled',
  'vouchers that are expired': '/vouchers?state=$expired',
  'customers, page 100': '/customers?page=100',
};

const turns = 3;

async function measure(address: string): Promise<string> {
  const browser = await openBrowser();
  if (!browser) return `${noBrowser}\n`;
  const lines = [];
  for (const [name, path] of Object.entries({ ...consoleScreens, ...deepPages })) {
    const { context, show } = await openConsole(browser, address, {});
    const times = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const start = performance.now();
      await show(path);
      times.push(Math.round(performance.now() - start));
    }
    lines.push(`${name.padEnd(30)}${times.map((ms) => `${ms} ms`.padStart(10)).join('')}\n`);
    await context.close();
  }
  await browser.close();
  return lines.join('');
}

await runCommand({ usage, options: {}, positionals: { least: 1, most: 1 } }, ({ positionals: [address = ''] }) =>
  measure(address),
);
