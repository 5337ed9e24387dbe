import { testDependencies } from './dependencies.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type Call, type EngineReply, type Exchange, isWrite, type Plan } from './faults.ts';

/** Describes a place between two steps of a call. */
export interface Moment {
  /** Names the step in the error if it does not come. */
  readonly words: string;
  readonly isIt: (call: Call) => boolean;
  /** Counts the matching steps from 1. */
  readonly nth: number;
  /** Sends the step, and lets the others act before or after it. */
  readonly play: (exchange: Exchange, act: () => Promise<void>) => Promise<EngineReply>;
  /** These calls wait until the others have acted. */
  readonly waits?: (call: Call) => boolean;
}

type Step = Pick<Moment, 'words' | 'isIt' | 'nth'>;

/** Returns a check whether a call contains this text, such as an id or a kind. */
export const naming =
  (what: string) =>
  ({ body }: Pick<Call, 'body'>): boolean =>
    JSON.stringify(body).includes(what);

const write = (nth: number, what: string): Step => ({
  words: `write ${nth} ${what}`,
  isIt: (call) => isWrite(call) && naming(what)(call),
  nth,
});
const read = (nth: number, what: string): Step => ({
  words: `read ${nth} ${what}`,
  isIt: (call) => !isWrite(call) && naming(what)(call),
  nth,
});

const before: Moment['play'] = async ({ forward }, act) => {
  await act();
  return forward();
};
const after: Moment['play'] = async ({ forward }, act) => {
  const reply = await forward();
  await act();
  return reply;
};

/** Stops before a write that names `what`. */
export const beforeWrite = (nth = 1, what = ''): Moment => ({ ...write(nth, what), play: before });
/** Stops after a read that names `what`. The call gets the state from before. */
export const afterRead = (nth = 1, what = ''): Moment => ({ ...read(nth, what), play: after });
export const beforeTransaction = (nth = 1): Moment => ({
  words: `transaction ${nth}`,
  isIt: ({ operation }) => operation === 'TransactWriteItems',
  nth,
  play: before,
});

/** Lets these steps wait for the moment as well, however soon they come. */
export const andBefore = (moment: Moment, waits: (call: Call) => boolean): Moment => ({ ...moment, waits });

type Item = Record<string, unknown>;
interface Batch {
  readonly Responses: Record<string, Item[]>;
}
const batchIn = ({ body }: EngineReply): Batch => JSON.parse(body.toString());

/** Lets a read of many items meet a transaction halfway: late items are read after it, and all others before it. */
export const halfwayThroughRead = (nth: number, what: string, isLate: (item: Item) => boolean): Moment => ({
  ...read(nth, what),
  isIt: (call) => call.operation === 'BatchGetItem' && naming(what)(call),
  play: async ({ forward }, act) => {
    const early = batchIn(await forward());
    await act();
    const { headers, ...late } = await forward();
    const { 'x-amz-crc32': _, ...others } = headers;
    const Responses = Object.fromEntries(
      Object.entries(batchIn(late as EngineReply).Responses).map(([table, items]) => [
        table,
        [...(early.Responses[table] ?? []).filter((item) => !isLate(item)), ...items.filter(isLate)],
      ]),
    );
    return { status: late.status, headers: others, body: Buffer.from(JSON.stringify({ Responses })) };
  },
});

/**
 * Plays a race exactly: at the moment, the call waits until `act` is done. `play` makes the call in a separate
 * container, which reaches its table through the proxy. Throws if the moment does not come, because such a test would
 * prove nothing.
 */
export async function meanwhile<T>(
  moment: Moment,
  act: () => Promise<unknown>,
  play: (container: ReturnType<typeof testDependencies>) => Promise<T>,
  overrides: Parameters<typeof testDependencies>[0] = {},
): Promise<T> {
  const proxy = await startFaultProxy();
  const acted = Promise.withResolvers<void>();
  let seen = 0;
  let failure: unknown;
  let isOver = false;
  const actOnce = async () => {
    // If it fails, the call continues, and the failure is thrown at the end.
    await act().catch((error: unknown) => {
      failure = error;
    });
    isOver = true;
    acted.resolve();
  };
  const plan: Plan = (call) => {
    if (moment.isIt(call)) seen += 1;
    const isNow = moment.isIt(call) && seen === moment.nth;
    if (isNow) return async (exchange) => exchange.reply(await moment.play(exchange, actOnce));
    if (isOver || !moment.waits?.(call)) return undefined;
    return async ({ forward, reply }) => {
      await acted.promise;
      reply(await forward());
    };
  };
  try {
    proxy.run(plan);
    const done = await play(testDependencies({ ...overrides, dynamodb: proxy.client }));
    if (failure) throw failure;
    if (!isOver) throw new Error(`the call has no ${moment.words}`);
    return done;
  } finally {
    await proxy.close();
  }
}
