import type { FileRight } from '#kernel/core/files/access.ts';
import type { Consumer, ItemChange } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Tap } from './jobs/dispatch.ts';
import { abandonJob } from './jobs/endings.ts';
import type { QueueName, Queues } from './jobs/queues.ts';
import type { JobDependencies, Work, Works } from './jobs/run.ts';

/**
 * The product works without its add-ons. Each add-on exports one object, in `add-on.ts` of its room, and
 * `lib/registry.ts` lists these objects. Works, readers of the stream, queues, rights and the choice of a stage follow
 * from them.
 */

/** Reads the table's stream for an add-on. */
export interface StreamPart {
  readonly taps: readonly Tap[];
  /** Lists what `handOver` consumes, so that the stream delivers it. */
  readonly consumers: readonly Consumer<unknown>[];
  /** Hands over what only a read of the table can decide. Changes may come twice. */
  readonly handOver: (changes: readonly ItemChange[], at: { queues: Queues; table: Table }) => Promise<void>;
  /** Lists patterns of IAM for the partition keys that it reads. */
  readonly keys: readonly string[];
}

export interface AddOn<Outside> {
  readonly name: string;
  /** The reason why every stage has it. A stage may leave out an add-on without a reason. */
  readonly needed?: string;
  /** Lists the beginnings of its operations' paths. The longest beginning of all add-ons decides. */
  readonly operations: readonly string[];
  /** Returns its works. Each loads its code with its first job or message, by `lazyWork` or by `import()`. */
  readonly jobs: (outside: Outside) => Partial<Works>;
  /** True if it reads the table's stream, by a `StreamPart` that the registry names. */
  readonly readsStream?: true;
  /** Settles everything that is due, each hour. */
  readonly hourly?: (dependencies: JobDependencies, works: Works, isTimeUp?: () => boolean) => Promise<unknown>;
  /** Sends work that waits for minutes rather than hours. */
  readonly eachMinute?: (dependencies: JobDependencies, isTimeUp?: () => boolean) => Promise<unknown>;
  /** Lists the parts of the stack that only this add-on needs. */
  readonly stack: {
    /** Its queues, with their workers and dead letters. */
    readonly queues: readonly QueueName[];
    /** The rights to files that the workers of queues have for its jobs. */
    readonly files: Partial<Readonly<Record<QueueName, readonly FileRight[]>>>;
  };
  /** Names the options of a stage that make no sense without it. */
  readonly options: readonly string[];
}

// esbuild leaves out an add-on that a bundle does not use.
/* @__NO_SIDE_EFFECTS__ */
export function addOn<const T extends AddOn<never>>(it: T): T {
  return it;
}

/** Loads a work with the first job of its kind, so that other workers do not load it. */
export function lazyWork(load: () => Promise<Work>): Work {
  return {
    run: async (context, job) => (await load()).run(context, job),
    giveUp: async (context, job) => ((await load()).giveUp ?? abandonJob)(context, job),
  };
}
