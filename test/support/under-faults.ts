import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { type Asked, type Requests, transferMadeBefore } from './asked.ts';
import { caller, type Reply } from './call.ts';
import { loadDemo } from './demo.ts';
import { ownTable, testDependencies, testTime } from './dependencies.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { Call, Plan } from './faults.ts';
import { requestsTo } from './one-of-each.ts';
import { isLong } from './sampled.ts';
import { comparable, readState, readWritten, restoreState, type State } from './table-state.ts';

/** Sends the file's requests to a table that breaks. Each begins with the same state of the demo project. */
export function openUnderFaults() {
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

  /** Returns the previous state, and restores the initial state. */
  async function restore(): Promise<State> {
    const state = await readNow();
    await restoreState(direct, initial, state);
    sent = [];
    return state;
  }

  afterEach(restore);

  /** Calls the operation in a separate container, through the proxy. */
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

  /** Requests besides the endpoints' own are tested for their writes only. */
  const waysOf = ({ hasKey, isMore }: Asked) => ({
    ...(isMore && isLong ? { closely: true } : {}),
    ...(hasKey ? { of: 'with a key' } : {}),
  });

  /** Adds the state that it left. */
  const shown = ({ status, body }: Reply, left: State) => compared.textOf([status, body], left);

  /** Leaves out records of idempotency keys, which show how a request ended. */
  const effects = (state: State) => compared.changesTo(state, 'IDEMPOTENCY_KEY');

  const changesTo = (state: State) => compared.changesTo(state);

  return { ask, changesTo, effects, faultless, patient, readNow, restore, shown, waysOf };
}
