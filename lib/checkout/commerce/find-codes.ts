import * as v from 'valibot';
import { identifier } from '../../core/schema.ts';
import type { Reading } from '../../http/context.ts';
import { voucherIds } from '../../ledger/codes/voucher-lists.ts';
import { read } from '../../table/read.ts';
import { vouchers } from '../../vouchers/voucher.ts';
import { type RefusedCode, refuseCode } from './refused-code.ts';

/** Finds the vouchers of codes in any case, as both protocols demand. */

export interface FoundCode {
  readonly index: number;
  /** The code as the cart has it. */
  readonly code: string;
  /** The code as the voucher has it. */
  readonly voucherCode: string;
}

/** Returns the spellings to try. The sent one wins over others that differ in case. */
function listSpellings({ caseSensitiveCodes }: Reading['project'], code: string): string[] {
  return caseSensitiveCodes ? [...new Set([code, code.toUpperCase(), code.toLowerCase()])] : [code];
}

/** Finds all codes in one call. A voucher that is named twice is applied once. */
export async function findCodes(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  codes: readonly string[],
): Promise<{ found: readonly FoundCode[]; refused: readonly RefusedCode[] }> {
  const keys = codes.map((code) =>
    v.is(identifier, code)
      ? listSpellings(project, code)
          .filter((spelling) => v.is(identifier, spelling))
          .flatMap((spelling) => voucherIds(project, spelling))
          .map((id) => vouchers(project.id, id))
      : [],
  );
  const { items } = await read(table, { items: keys.flat() });
  let next = 0;
  const found: FoundCode[] = [];
  const refused: RefusedCode[] = [];
  for (const [index, code] of codes.entries()) {
    const count = keys[index]?.length ?? 0;
    const voucher = items.slice(next, next + count).find((item) => item !== undefined);
    next += count;
    if (!voucher) refused.push(refuseCode({ index, code }, 'invalid'));
    else if (found.some(({ voucherCode }) => voucherCode === voucher.code)) {
      refused.push(refuseCode({ index, code }, 'already_applied'));
    } else found.push({ index, code, voucherCode: voucher.code });
  }
  return { found, refused };
}
