import { runCommand } from '../../infra/command-line.ts';
import { borders, circlesOfFolders, reach } from './measure.ts';
import { house } from './sources.ts';

/** Returns a line for each number. */
function measure(): string[] {
  const { names, forOneFile, files, byRoom } = borders();
  const operations = house.filter(({ text }) => text.includes('export const handler =')).map(({ path }) => path);
  const lines = operations.map((path) => reach(path).lines).sort((one, other) => one - other);
  const rows = [
    ['names that cross rooms', names],
    ['of them for one file', forOneFile],
    ['files that are entered', files],
    ['circles of folders', circlesOfFolders().length],
    ['lines that the median operation reaches', lines[Math.floor(lines.length / 2)]],
    ['lines that creating a category reaches', reach('functions/categories/create-category.ts').lines],
    ['lines that a redemption reaches', reach('functions/vouchers/redeem-voucher.ts').lines],
  ] as const;
  const rooms = [...byRoom].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...rows.map(([what, count]) => `${String(count).padStart(7)}  ${what}`),
    ...rooms.map(([room, { names, files }]) => `${String(names).padStart(7)}  names of ${room}, in ${files} files`),
    ...circlesOfFolders().map((circle) => `  circle: ${circle}`),
  ];
}

await runCommand(
  {
    usage: `Counts what a reader of the house must hold: names, files and lines behind them.

npm run house               the whole house`,
    options: {},
  },
  async () =>
    measure()
      .map((line) => `${line}\n`)
      .join(''),
);
