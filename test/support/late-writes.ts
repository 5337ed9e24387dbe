import { type Call, conflicts, type Fault, type Plan, withForgottenToken, withoutCapacity } from './faults.ts';

/** An attempt that arrives late. `deliver` carries out what is still under way when the request is over. */
export interface Late {
  readonly plan: Plan;
  readonly deliver: () => Promise<void>;
  readonly patienceInMs: number;
}

/** A busy machine answers within the first. The second is spent in whole where each repetition is refused. */
const patience = { answered: 30_000, refused: 2_000 };

const isRepetition = (call: Call, of: Call) =>
  call.operation === of.operation &&
  JSON.stringify({ ...call.body, ClientRequestToken: '' }) === JSON.stringify({ ...of.body, ClientRequestToken: '' });

/** Plans what happens to one write, whose first attempt gets no answer, and to its repetitions. */
function lateWrite(
  nth: number,
  {
    first,
    repeated,
    patienceInMs = patience.answered,
  }: {
    first: (late: Lateness) => Fault;
    repeated: (late: Lateness) => Fault | undefined;
    patienceInMs?: number;
  },
): Late {
  const late: Lateness = { waiting: [], repetitions: 0 };
  let original: Call | undefined;
  const plan: Plan = (call) => {
    if (call.number === nth) {
      original = call;
      return first(late);
    }
    if (!original || !isRepetition(call, original)) return undefined;
    late.repetitions += 1;
    return repeated(late);
  };
  const deliver = async () => {
    for (const one of late.waiting.splice(0)) await one();
  };
  return { plan, deliver, patienceInMs };
}

interface Lateness {
  /** Attempts that were given up, and are not carried out yet. */
  readonly waiting: (() => Promise<unknown>)[];
  repetitions: number;
}

const keptWaiting =
  ({ waiting }: Lateness, { forgotten = false } = {}): Fault =>
  ({ call, forward, cut }) => {
    waiting.push(() => forward(forgotten ? withForgottenToken(call) : call.body));
    cut();
  };

const cancelledBehind =
  ({ waiting }: Lateness): Fault =>
  async (exchange) => {
    for (const one of waiting.splice(0)) await one();
    await conflicts['meets another transaction'](exchange);
  };

/** The ways in which an attempt of the write arrives late. DynamoDB promises none of them away. */
export const lateWrites = {
  'is carried out while its repetition is cancelled': (nth: number) =>
    lateWrite(nth, {
      first: (late) => keptWaiting(late),
      repeated: cancelledBehind,
      patienceInMs: patience.refused,
    }),
  'is carried out while its repetition is throttled': (nth: number) =>
    lateWrite(nth, {
      first: (late) => keptWaiting(late),
      repeated: (late) => async (exchange) => {
        for (const one of late.waiting.splice(0)) await one();
        await withoutCapacity(exchange);
      },
      patienceInMs: patience.refused,
    }),
  'arrives after its repetition was carried out': (nth: number) =>
    lateWrite(nth, { first: (late) => keptWaiting(late, { forgotten: true }), repeated: () => undefined }),
  'arrives after its repetition was cancelled twice': (nth: number) =>
    lateWrite(nth, {
      first: (late) => keptWaiting(late, { forgotten: true }),
      repeated: ({ repetitions }) => (repetitions <= 2 ? conflicts['meets another transaction'] : undefined),
    }),
  'arrives again a minute later': (nth: number) =>
    lateWrite(nth, {
      first:
        ({ waiting }) =>
        async ({ call, forward, reply }) => {
          reply(await forward());
          waiting.push(() => forward(withForgottenToken(call)));
        },
      repeated: () => undefined,
    }),
} as const satisfies Record<string, (nth: number) => Late>;
