import type { FileRight } from '#kernel/core/files/access.ts';
import { type QueueName, queueNames } from '#kernel/kit/jobs/queues.ts';
import { addOns } from '#registry.ts';

/** The parts of the stack that belong to add-ons, for a stage that may leave out some. */
export interface KeptParts {
  readonly queues: readonly QueueName[];
  /** Lists the rights to files of a queue's worker. */
  readonly filesOf: (queue: QueueName) => readonly FileRight[];
  /** Says whether an add-on of the stage has work each minute. */
  readonly isSweptEachMinute: boolean;
}

/** The queues that every stage has, because the engine or a needed add-on uses them. */
export type KeptQueue = Exclude<QueueName, Optional['stack']['queues'][number]>;
type Optional = Exclude<(typeof addOns)[number], { readonly needed: string }>;

export function findKeptParts(leftOut: readonly string[] = []): KeptParts {
  const missing: readonly QueueName[] = addOns
    .filter(({ name }) => leftOut.includes(name))
    .flatMap(({ stack }) => stack.queues);
  const kept = addOns.filter(({ name }) => !leftOut.includes(name));
  const files: readonly Partial<Readonly<Record<QueueName, readonly FileRight[]>>>[] = kept.map(
    ({ stack }) => stack.files,
  );
  return {
    queues: queueNames.filter((name) => !missing.includes(name)),
    filesOf: (queue) => files.flatMap(({ [queue]: rights = [] }) => rights),
    isSweptEachMinute: kept.some((one) => 'eachMinute' in one),
  };
}
