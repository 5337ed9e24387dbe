import { randomBytes } from 'node:crypto';
import { applyProjectForm, buildCodeSpace, type CodeConfig, type CodeSpace } from '#engine/ledger/codes/code-space.ts';
import { foldCode, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import type { Table } from '#kernel/table/table.ts';
import { vouchers } from './voucher.ts';

interface Context {
  table: Table;
  project: Project;
}

/** Random codes that are tried first, because almost all spaces are almost empty. */
const firstTries = 5;
/** Codes that one read tries afterwards, from a random place on. */
const triedAtOnce = 500;
/** After this many used codes in a row, at most one of thousands is free. A smaller space is searched completely. */
const mostTries = 10_000;
/** Draws more bytes than the largest capacity has, so that all numbers are equally likely. */
const extraBytes = 16;

function randomBelow(capacity: bigint): bigint {
  const bytes = Math.ceil(capacity.toString(16).length / 2) + extraBytes;
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`) % capacity;
}

/** Yields the codes to try, some at a time. */
function* drawCandidates({ capacity, codeAt }: CodeSpace): Generator<string[]> {
  yield Array.from({ length: firstTries }, () => codeAt(randomBelow(capacity)));
  const first = randomBelow(capacity);
  const tries = capacity < BigInt(mostTries) ? Number(capacity) : mostTries;
  for (let from = 0; from < tries; from += triedAtOnce) {
    const length = Math.min(triedAtOnce, tries - from);
    yield Array.from({ length }, (_, step) => codeAt((first + BigInt(from + step)) % capacity));
  }
}

const none: ReadonlySet<string> = new Set();

async function findFree({ table, project }: Context, space: CodeSpace, except = none): Promise<string | undefined> {
  const others = new Set([...except].map((code) => foldCode(project, code)));
  for (const codes of drawCandidates(space)) {
    // The code of a voucher in the bin stays in use.
    const taken = await table.getMany(
      codes.map((code) => vouchers(project.id, voucherId(project, code))),
      { deletedToo: true },
    );
    const free = codes.find((code, index) => taken[index] === undefined && !others.has(foldCode(project, code)));
    if (free !== undefined) return free;
  }
  return undefined;
}

const ofCampaign = "the campaign's code_config";

/** Draws a code of the form that neither the project nor `except` has. Answers 400 `invalid_code_config` if no code is free. */
export async function drawCode(
  context: Context,
  config: CodeConfig | undefined,
  { place = ofCampaign, except = none }: { place?: string; except?: ReadonlySet<string> | undefined } = {},
): Promise<string> {
  const outcome = buildCodeSpace(applyProjectForm(context.project, config ?? {}));
  const free = 'space' in outcome ? await findFree(context, outcome.space, except) : undefined;
  if (free !== undefined) return free;
  const remedy = place === ofCampaign ? 'publish codes of your own, or use another campaign' : 'send another form';
  const faults = 'faults' in outcome ? outcome.faults : [`none of its codes is free, or almost none: ${remedy}`];
  throw new ServiceError('invalid_code_config', { details: joinFaults(faults.map((fault) => `${place}: ${fault}`)) });
}

/** Makes something with a new code, or nothing if the codes are used up. A side effect must not fail the request that caused it. */
export async function unlessUsedUp<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'invalid_code_config') return undefined;
    throw error;
  }
}
