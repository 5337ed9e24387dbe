import { borders, circlesOfFolders, reach } from './measure.ts';
import { house } from './sources.ts';

const tell = (line: string) => process.stdout.write(`${line}\n`);

/** Prints what a reader of the house must hold. */

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
for (const [what, count] of rows) tell(`${String(count).padStart(7)}  ${what}`);
for (const [room, { names, files }] of [...byRoom].sort(([one], [other]) => (one < other ? -1 : 1))) {
  tell(`${String(names).padStart(7)}  names of ${room}, in ${files} files`);
}
for (const circle of circlesOfFolders()) tell(`  circle: ${circle}`);
