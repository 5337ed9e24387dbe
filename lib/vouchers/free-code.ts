import { randomBytes, randomInt } from 'node:crypto';
import { joinFaults, ServiceError } from '../core/errors.ts';
import type { Project } from '../http/projects/project.ts';
import { applyProjectForm, buildCodeSpace, type CodeConfig, type CodeSpace } from '../ledger/codes/code-space.ts';
import { foldCode, voucherId } from '../ledger/codes/voucher-lists.ts';
import type { Table } from '../table/table.ts';
import { vouchers } from './voucher.ts';

interface Context {
  table: Table;
  project: Project;
}

const candidates = 5;
/** One call can try all codes of a space of at most this size. */
const smallCapacity = 100n;
/** Draws more bytes than the largest capacity has, so that all numbers are equally likely. */
const extraBytes = 16;

function randomBelow(capacity: bigint): bigint {
  const bytes = Math.ceil(capacity.toString(16).length / 2) + extraBytes;
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`) % capacity;
}

/** Draws candidates: all codes of a small space, from a random place on, or some random codes of a large space. */
function drawCandidates({ capacity, codeAt }: CodeSpace): string[] {
  if (capacity > smallCapacity) return Array.from({ length: candidates }, () => codeAt(randomBelow(capacity)));
  const length = Number(capacity);
  const first = randomInt(length);
  return Array.from({ length }, (_, step) => codeAt(BigInt((first + step) % length)));
}

const none: ReadonlySet<string> = new Set();

async function findFree({ table, project }: Context, space: CodeSpace, except = none): Promise<string | undefined> {
  const codes = drawCandidates(space);
  // The code of a voucher in the bin stays taken.
  const taken = await table.getMany(
    codes.map((code) => vouchers(project.id, voucherId(project, code))),
    { deletedToo: true },
  );
  const others = new Set([...except].map((code) => foldCode(project, code)));
  return codes.find((code, index) => taken[index] === undefined && !others.has(foldCode(project, code)));
}

/** Draws a code that neither the project nor `except` has: of the campaign's form, or of the usual form if few are left. */
export async function drawFreeCode(context: Context, config: CodeConfig | undefined, except = none): Promise<string> {
  for (const form of [config ?? {}, {}]) {
    const outcome = buildCodeSpace(applyProjectForm(context.project, form));
    const free = 'space' in outcome ? await findFree(context, outcome.space, except) : undefined;
    if (free !== undefined) return free;
  }
  throw new Error('no code is free');
}

/** Draws a free code of exactly the form that a body asks for. Answers 400 `invalid_code_config` if no code is free. */
export async function drawCode(context: Context, config: CodeConfig): Promise<string> {
  const outcome = buildCodeSpace(applyProjectForm(context.project, config));
  const free = 'space' in outcome ? await findFree(context, outcome.space) : undefined;
  if (free !== undefined) return free;
  const faults =
    'faults' in outcome ? outcome.faults : ['none of its codes is free, or almost none: send another form'];
  throw new ServiceError('invalid_code_config', {
    details: joinFaults(faults.map((fault) => `code_config: ${fault}`)),
  });
}
