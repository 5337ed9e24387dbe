import { Misuse, runCommand } from '../../infra/command-line.ts';
import { faultsBelow } from './read-sources.ts';

await runCommand(
  {
    usage: `Lists words that a reader of English as a second language would read twice.

npm run words -- lib/kernel/kit docs    all files below these paths`,
    options: {},
    positionals: { least: 1, most: 100 },
  },
  async ({ positionals }) => {
    if (positionals.some((path) => path.startsWith('/') || path.includes('..'))) {
      throw new Misuse('paths are relative to the folder of the project');
    }
    const faults = faultsBelow(positionals);
    return [...faults, `${faults.length} faults`].map((line) => `${line}\n`).join('');
  },
);
