import { randomBytes, randomInt } from 'node:crypto';
import { detailsOf, ServiceError } from '../core/errors.ts';
import type { Project } from '../http/projects/project.ts';
import { type CodeConfig, type CodeSpace, codeSpace, inProject } from '../ledger/codes/code-space.ts';
import { voucherId } from '../ledger/codes/voucher-id.ts';
import type { Table } from '../table/table.ts';
import { vouchers } from './voucher.ts';

interface Context {
  table: Table;
  project: Project;
}

const candidates = 5;
/** Up to so many codes, all that there are can be tried in one call. */
const smallCapacity = 100n;
/** More than the largest capacity has, so that each number is as likely as another. */
const extraBytes = 16;

function randomBelow(capacity: bigint): bigint {
  const bytes = Math.ceil(capacity.toString(16).length / 2) + extraBytes;
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`) % capacity;
}

/** All of a small space, from any place on; of a large one some by lot. */
function drawn({ capacity, codeAt }: CodeSpace): string[] {
  if (capacity > smallCapacity) return Array.from({ length: candidates }, () => codeAt(randomBelow(capacity)));
  const length = Number(capacity);
  const first = randomInt(length);
  return Array.from({ length }, (_, step) => codeAt(BigInt((first + step) % length)));
}

const none: ReadonlySet<string> = new Set();

async function freeOf({ table, project }: Context, space: CodeSpace, except = none): Promise<string | undefined> {
  const codes = drawn(space);
  // The code of a voucher in the bin stays taken.
  const taken = await table.getMany(
    codes.map((code) => vouchers(project.id, voucherId(project, code))),
    { deletedToo: true },
  );
  return codes.find((code, index) => taken[index] === undefined && !except.has(code));
}

/**
 * A code that no voucher of the project has, nor one of `except`: of the campaign's form, or of the usual one where few of those are
 * left.
 */
export async function drawFreeCode(context: Context, config: CodeConfig | undefined, except = none): Promise<string> {
  for (const form of [config ?? {}, {}]) {
    const outcome = codeSpace(inProject(context.project, form));
    const free = 'space' in outcome ? await freeOf(context, outcome.space, except) : undefined;
    if (free !== undefined) return free;
  }
  throw new Error('no code is free');
}

/** A free code of the form that a body asks for and no other; 400 `invalid_code_config` where there is none. */
export async function drawCode(context: Context, config: CodeConfig): Promise<string> {
  const outcome = codeSpace(inProject(context.project, config));
  const free = 'space' in outcome ? await freeOf(context, outcome.space) : undefined;
  if (free !== undefined) return free;
  const faults = 'faults' in outcome ? outcome.faults : ['of its codes none is free, or next to none'];
  throw new ServiceError('invalid_code_config', { details: detailsOf(faults.map((fault) => `code_config: ${fault}`)) });
}
