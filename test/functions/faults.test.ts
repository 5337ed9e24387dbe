import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { type Asked, allAsked, type Requests, transferMadeBefore } from '../support/asked.ts';
import { caller, type Reply } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { ownTable, testDependencies, testTime } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Call, faults, faultsByKind, faultsOf, isWrite, lasting, type Plan } from '../support/faults.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { comparable, readState, readWritten, restoreState, type State } from '../support/table-state.ts';

let proxy: FaultProxy;
/** A client without the faults. */
let direct: ReturnType<typeof testDependencies>;
let requestTo: Requests;
let initial: State;
let compared: ReturnType<typeof comparable>;
/** The calls since the table was in its initial state. */
let sent: (readonly Call[])[] = [];

beforeAll(async () => {
  proxy = await startFaultProxy();
  direct = testDependencies({ tableName: await ownTable(afterAll) });
  const project = await loadDemo(direct);
  requestTo = await requestsTo(project, direct);
  const made = await caller(transfer, direct)({ headers: project.credentials, ...transferMadeBefore });
  expect(made.status).toBe(200);
  initial = await readState(direct);
  compared = comparable(initial);
});

afterAll(async () => {
  await proxy.close();
  // Fails if a write was not seen.
  expect(compared.changesTo(await readState(direct))).toEqual([]);
});

/** Reads the whole table. */
const readNow = () => readWritten(direct, initial, sent.flat());

/** Returns the previous state, and restores the initial one. */
async function restore(): Promise<State> {
  const state = await readNow();
  await restoreState(direct, initial, state);
  sent = [];
  return state;
}

afterEach(restore);

/** Calls the operation in a container of its own, behind the proxy. */
async function ask(
  { operation, request, at = testTime }: Asked,
  { plan, patienceInMs }: { plan?: Plan; patienceInMs: number },
) {
  const { tableName } = direct;
  const calls = proxy.run(plan);
  sent.push(calls);
  const dependencies = testDependencies({ dynamodb: proxy.client, tableName, patienceInMs, clock: () => at });
  const reply = await caller(operation.handler, dependencies)(request(requestTo));
  return { reply, calls };
}

const patient = { patienceInMs: 30_000 };

const known = new Map<Asked, { calls: readonly Call[]; reply: Reply; state: State }>();

/** Returns the answer of a request without faults, the state after it, and its calls. */
async function faultless(asked: Asked) {
  const found = known.get(asked);
  if (found) return found;
  const { reply, calls } = await ask(asked, patient);
  expect(reply.status).toBe(asked.operation.route.reply.status);
  const one = { calls, reply, state: await restore() };
  known.set(asked, one);
  return one;
}

/** Requests beside the endpoints' own are tested for their writes only. */
const waysOf = ({ hasKey, isMore }: Asked) => ({
  ...(isMore && isLong ? { closely: true } : {}),
  ...(hasKey ? { of: 'with a key' } : {}),
});

/** Adds the state that it left. */
const shown = ({ status, body }: Reply, left: State) => compared.textOf([status, body], left);

/** Leaves out records of idempotency keys, which show how a request ended. */
const effects = (state: State) => compared.changesTo(state, 'IDEMPOTENCY_KEY');

describe('one fault at any call is invisible:', () => {
  const some = faultsByKind();
  test.each(sampled(allAsked, 10))('$name', { timeout: 600_000 }, async (asked) => {
    const { calls, reply, state } = await faultless(asked);
    const left = compared.changesTo(state);
    for (const call of calls) {
      for (const [name, fault] of some(call, calls, faultsOf(call), waysOf(asked))) {
        const where = `call ${call.number} of ${calls.length}, ${call.operation}, ${name}`;
        const given = await ask(asked, {
          ...patient,
          plan: ({ number }) => (number === call.number ? fault : undefined),
        });
        const stateNow = await restore();
        expect(shown(given.reply, stateNow), where).toBe(shown(reply, state));
        // The request runs once more from the start, in its turn. Taking and leaving a turn are two calls.
        expect(given.calls.length, where).toBeLessThanOrEqual(2 * calls.length + 3);
        expect(compared.changesTo(stateNow), where).toEqual(left);
      }
    }
  });
});

const lastingByKind = faultsByKind();

/** The fault lasts from this call on. */
function plansFrom(call: Call, calls: readonly Call[], asked: Asked): [string, Plan][] {
  const throttled = faults['is throttled'];
  const lost = faults['is carried out, and its reply is lost'];
  return [
    ...lastingByKind(call, calls, Object.entries(lasting), waysOf(asked)).map(([name, fault]): [string, Plan] => [
      `each ${name}`,
      ({ number }) => (number >= call.number ? fault : undefined),
    ]),
    ...(isWrite(call)
      ? [
          [
            'it is carried out without a reply, and the others are throttled',
            ({ number }) => (number > call.number ? throttled : number === call.number ? lost : undefined),
          ] satisfies [string, Plan],
        ]
      : []),
  ];
}

describe('a table that stays broken causes a clean error, and the whole effect or none:', () => {
  // If a card is settled first, that may be the only effect.
  test.each(sampled(allAsked, 8).filter(({ at, isMore }) => at === undefined && (isLong || !isMore)))(
    '$name',
    { timeout: 600_000 },
    async (asked) => {
      const { calls, reply, state } = await faultless(asked);
      const everything = effects(state);
      for (const call of calls) {
        if (!isWrite(call) && call.number !== calls.length) continue;
        for (const [name, plan] of plansFrom(call, calls, asked)) {
          const where = `from call ${call.number} of ${calls.length} on, ${call.operation}, ${name}`;
          const given = await ask(asked, { patienceInMs: 40, plan });
          const stateNow = await readNow();
          const left = effects(stateNow);
          if (given.reply.status === reply.status) {
            // The record of an idempotency key is no longer needed for it.
            expect(shown(given.reply, stateNow), where).toBe(shown(reply, state));
            expect(left, where).toEqual(everything);
          } else if (given.reply.status === 429) {
            // The reply says that nothing was changed.
            expect(left, where).toEqual([]);
          } else {
            expect(given.reply.status, where).toBe(500);
            if (left.length > 0) expect(left, where).toEqual(everything);
          }
          if (asked.hasKey) await expectOnce(asked, { before: left, everything, where });
          await restore();
        }
      }
    },
  );
});

/** The same request with the same key is repeated after the recovery. It is carried out unless it already was. */
async function expectOnce(
  asked: Asked,
  { before, everything, where }: Record<'before' | 'everything', string[]> & { where: string },
) {
  const { reply } = await ask(asked, patient);
  const after = effects(await readNow());
  if (reply.status === asked.operation.route.reply.status) {
    expect(after, where).toEqual(everything);
  } else {
    expect(['idempotency_key_in_use', 'idempotency_reply_lost'], where).toContain(reply.body.key);
    expect(after, where).toEqual(before);
  }
}
