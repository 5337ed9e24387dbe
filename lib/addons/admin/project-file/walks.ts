import { foldCode } from '#engine/ledger/codes/voucher-lists.ts';
import type { FileList } from '#kernel/kit/entries/list.ts';
import { lists } from './lists.ts';
import { NameBook } from './name-book.ts';
import { readEntries } from './read-entries.ts';

/** Walks through a file again, after its first check. */

/** Yields the entries of these lists in the order of the file. */
export async function* walkWantedEntries(path: string, wanted: ReadonlyMap<string, FileList>) {
  for await (const read of readEntries(path)) {
    const list = read.is === 'entry' && wanted.get(read.key);
    if (list) yield { ...read, list };
  }
}

export const walkVouchers = (path: string) =>
  walkWantedEntries(path, new Map([...lists].filter(([key]) => key === 'vouchers')));

/**
 * Finds codes that the project treats as equal, so that the last entry would win. They differ only in blanks, dashes or
 * invisible characters, or in case if the project ignores case.
 */
export async function* findCodesAlike(path: string, caseSensitiveCodes: boolean): AsyncGenerator<string> {
  const [exact, folded] = [new NameBook(), new NameBook()];
  for await (const { index, list, value } of walkVouchers(path)) {
    const code = list.parse(value, '').entry?.names[0]?.value;
    if (code === undefined) continue;
    const isRepeated = exact.give('vouchers', 'code', code, index) !== undefined;
    const first = folded.give('vouchers', 'code', foldCode({ caseSensitiveCodes }, code), index);
    if (first === undefined || isRepeated) continue;
    const alone = caseSensitiveCodes
      ? 'blanks, dashes or invisible characters alone'
      : 'case alone, and the project ignores case';
    yield `vouchers[${index}].code differs from vouchers[${first}].code in ${alone}`;
  }
}
