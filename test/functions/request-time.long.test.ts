import { describe, expect, test } from 'vitest';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller, lambdaContext } from '../support/call.ts';
import { patience, testDependencies } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { type Fault, faults, isWrite, type Plan, silence, standstill } from '../support/faults.ts';
import { card, programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const openShop = () =>
  loadProject({
    campaigns: [programme('camp_club')],
    earning_rules: [
      { id: 'ern_1', campaign_id: 'camp_club', event: 'visited', active: true, loyalty: { type: 'FIXED', points: 10 } },
    ],
    event_schema: [{ name: 'visited', metadata: {} }],
    customers: [{ id: 'cust_ada' }],
    vouchers: [card('ADA', 100, { holder_id: 'cust_ada' })],
  });

const visit = { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } };

/** A function has one second for its calls, and reserves time for the reply. */
const remainingInMs = 4_000;
/** Without a limit one attempt at a call takes this long, and so do attempts during conflicts. */
const unlimitedInMs = 120_000;
/** A busy machine stays far below this, and it is far less than that limit. */
const farTooLongInMs = 60_000;

describe('a request is answered within its time by a deployed function whose table, from some call on,', () => {
  const table: [string, Fault, number[]][] = [
    ['is throttled without end', faults['is throttled'], [429, 500]],
    ['meets internal errors', faults['meets an internal error'], [500]],
    ['does not answer', silence, [500]],
    ['stops in the middle of its answers', standstill, [500]],
    ['cannot be reached', faults['does not arrive'], [500]],
    ['loses its answers', faults['is carried out, and its reply is lost'], [500]],
  ];
  const from: [string, (call: Parameters<Plan>[0]) => boolean][] = [
    ['the first', () => true],
    ['its transaction', isWrite],
  ];
  test.concurrent.each(
    table.flatMap(([name, ...rest]) => from.map(([where, meets]) => ({ name, rest, where, meets }))),
  )('$name: from $where on', async ({ rest: [fault, statuses], meets }) => {
    const project = await openShop();
    const before = await itemsOf(project.id, '');
    const proxy = await startFaultProxy();
    const { tableName, log } = testDependencies();
    const client = createDynamodbClient(proxy.endpoint, { ...patience, replyTimeoutInMs: unlimitedInMs });
    const deployed = {
      ...compose({ TABLE_NAME: tableName, DYNAMODB_ENDPOINT: proxy.endpoint }),
      dynamodb: createDocumentClient(client),
      patienceInMs: unlimitedInMs,
    };
    let broken = false;
    const calls = proxy.run((call) => {
      broken ||= meets(call);
      return broken ? fault : undefined;
    });
    const startedAt = performance.now();
    const send = caller(eventHandler, { ...deployed, log }, lambdaContext(remainingInMs));
    const { status } = await send({ headers: project.credentials, body: visit });
    expect(performance.now() - startedAt).toBeLessThan(farTooLongInMs);
    expect(statuses).toContain(status);
    const sent = calls.length;
    expect(sent).toBeLessThan(100);
    client.destroy();
    await proxy.close();

    const after = await itemsOf(project.id, '');
    const isNothing = after.length === before.length;
    // The activity and the ledger's entry.
    expect(after.length - before.length).toBe(isNothing ? 0 : 2);
    if (status === 429) expect(after).toEqual(before);
  });
});

describe('a reply that does not arrive in time is requested again', () => {
  test.concurrent.each([
    ['none', silence],
    ['half of one', standstill],
  ])('%s', async (_, fault) => {
    const project = await openShop();
    const proxy = await startFaultProxy({ replyTimeoutInMs: 1_000 });
    const dependencies = testDependencies({ dynamodb: proxy.client });
    proxy.run(({ number }) => (number === 1 ? fault : undefined));
    const { status } = await caller(
      voucherHandler,
      dependencies,
    )({
      params: { code: 'ADA' },
      headers: project.credentials,
    });
    let met = 0;
    proxy.run((call) => (isWrite(call) && ++met === 1 ? fault : undefined));
    const sent = await caller(eventHandler, dependencies)({ headers: project.credentials, body: visit });
    expect([status, sent.status]).toEqual([200, 200]);
    expect(met).toBeGreaterThanOrEqual(2);
    expect(await itemsOf(project.id, 'LEDGER#')).toHaveLength(1);
    await proxy.close();
  });
});

test('points are credited once, and their record answers a caller whose replies are lost', async () => {
  const project = await openShop();
  const proxy = await startFaultProxy();
  const dependencies = testDependencies({ dynamodb: proxy.client, patienceInMs: 400 });
  let first: unknown;
  proxy.run((call) => {
    if (call.operation !== 'TransactWriteItems') return undefined;
    const { ClientRequestToken } = call.body;
    if (first === undefined) {
      first = ClientRequestToken;
      return faults['is carried out, and its reply is lost'];
    }
    return ClientRequestToken === first ? faults['is throttled'] : undefined;
  });
  const { status } = await caller(eventHandler, dependencies)({ headers: project.credentials, body: visit });
  await proxy.close();
  expect(status).toBe(200);
  const [ledger, [member]] = [await itemsOf(project.id, 'LEDGER#'), await itemsOf(project.id, 'VOUCHER')];
  expect([ledger.length, member?.credited_points]).toEqual([1, 110]);
});
