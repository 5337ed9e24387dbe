import { randomBytes } from 'node:crypto';
import { type CodeConfig, codeSpace } from '../codes/code-space.ts';
import { voucherId } from '../codes/voucher-id.ts';
import type { Project } from '../projects/project.ts';
import type { Table } from '../table/table.ts';
import { vouchers } from './voucher.ts';

const candidates = 5;
/** More than the largest capacity has, so that each number is as likely as another. */
const extraBytes = 16;

function randomBelow(capacity: bigint): bigint {
  const bytes = Math.ceil(capacity.toString(16).length / 2) + extraBytes;
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`) % capacity;
}

/** A code that no voucher of the project has: of the campaign's form, or of the usual one where few of those are left. */
export async function drawFreeCode(
  { table, project }: { table: Table; project: Project },
  config: CodeConfig | undefined,
): Promise<string> {
  for (const form of [config ?? {}, {}]) {
    const outcome = codeSpace(form);
    if ('faults' in outcome) continue;
    const { capacity, codeAt } = outcome.space;
    const codes = Array.from({ length: candidates }, () => codeAt(randomBelow(capacity)));
    // The code of a voucher in the bin stays taken.
    const taken = await table.getMany(
      codes.map((code) => vouchers(project.id, voucherId(project, code))),
      { deletedToo: true },
    );
    const free = codes.find((_, index) => taken[index] === undefined);
    if (free !== undefined) return free;
  }
  throw new Error('no code is free');
}
