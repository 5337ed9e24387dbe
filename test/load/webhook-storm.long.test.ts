import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isSigned } from '../../infra/operator/listen/listener.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { type Got, openKeeper, openWorld, type Victim } from './webhook-world.ts';

/** Webhooks arrive while their receiver fails half of the time, and while server, workers and engine are killed. */

/** `WEBHOOK_EVENTS=10000` sets another size. */
const size = Number(process.env.WEBHOOK_EVENTS ?? (isLong ? 150 : 20));
/** The part of the events at which something dies. */
const kills: readonly (readonly [Victim, number])[] = sampled(
  [
    ['server', 0.1],
    ['engine', 0.3],
    ['server', 0.6],
  ],
  1,
);
/** No delivery fails more often. One that fails thirteen times switches its webhook off. */
const mostFailures = isLong ? 3 : 2;
const timeout = 3_000_000;
/** Callers that make events as quickly as they can would measure the queue that they fill. */
const measuringCallers = 2;
/**
 * Retries after minutes come after seconds. With many events the sweep would mistake a waiting message for a lost
 * message.
 */
const pace = size > 500 ? 5 : 30;
/** Callers wait while this number of events is under way. */
const mostUnderWay = 1_000;
/** `WEBHOOK_MEASURED=1000` measures more events. */
const measured = Number(process.env.WEBHOOK_MEASURED ?? (isLong ? 100 : 20));

type World = Awaited<ReturnType<typeof openWorld>>;

const log = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      status: v.string(),
      attempts: v.array(v.object({ status: v.optional(v.nullable(v.number())) })),
    }),
  ),
  more_starting_after: v.optional(v.nullable(v.string())),
});

const created = v.object({ id: v.string() });
const secretReply = v.object({ secret: v.string(), token: v.string() });

type Logged = v.InferOutput<typeof log>['data'][number];

async function readLog({ manage }: World, webhook: string, query = ''): Promise<Logged[]> {
  const all: Logged[] = [];
  for (let after: string | null | undefined = ''; after !== undefined && after !== null; ) {
    const behind = after === '' ? '' : `&starting_after_id=${after}`;
    const { body } = await manage('GET', `webhooks/${webhook}/deliveries?limit=100${behind}${query}`);
    const page = v.parse(log, body);
    all.push(...page.data);
    after = page.more_starting_after;
  }
  return all;
}

async function subscribe({ manage }: World, target_url: string): Promise<string> {
  const { body } = await manage('POST', 'webhooks', { target_url, events: ['customer.created'] });
  return v.parse(created, body).id;
}

interface Making {
  readonly prefix?: string;
  readonly before?: (made: number) => Promise<void>;
  readonly after?: (name: string) => void;
  readonly callers?: number;
}

/** Makes customers by several simultaneous callers. Each call is repeated until it is answered. */
async function makeCustomers(
  { insist }: World,
  count: number,
  { prefix = 'c', before = async () => {}, after = () => {}, callers = 8 }: Making = {},
) {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const source_id = `${prefix}-${index}`;
      await before(index);
      const { status } = await insist('POST', '/v1/customers', { source_id });
      expect(status).toBe(200);
      after(source_id);
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
}

/** Returns whether the log explains the requests: each attempt with a status is a request, and one without may be. */
function explains(logged: readonly (number | null | undefined)[], seen: readonly number[]): boolean {
  let reached = new Set([0]);
  for (const status of logged) {
    const next = new Set<number>();
    for (const at of reached) {
      if (typeof status !== 'number') next.add(at);
      if (at < seen.length && (typeof status !== 'number' || seen[at] === status)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(seen.length);
}

/** Prints a figure with the seconds since `from`. */
function tell(what: string, from: number): void {
  process.stdout.write(`${what}: ${((performance.now() - from) / 1_000).toFixed(1)} s\n`);
}

const nameOf = ({ body }: Got): string => JSON.parse(body).data.customer.source_id;

test(`${size} events arrive, signed, and the log is what the receiver saw`, { timeout }, async () => {
  const world = await openWorld({ pace });
  const from = performance.now();
  const random = seeded(20_261_126);
  const failures = new Map<string, number>();
  const done = new Set<string>();
  const receiver = await openKeeper((id) => {
    const failed = failures.get(id) ?? 0;
    if (failed < mostFailures && random(2) === 0) {
      failures.set(id, failed + 1);
      return 500;
    }
    done.add(id);
    return 200;
  });
  const webhook = await subscribe(world, receiver.url);
  const before = (made: number) => receiver.until(() => made - done.size < mostUnderWay);
  const making = makeCustomers(world, size, { before });
  for (const [victim, part] of kills) {
    await receiver.until(() => done.size >= size * part);
    tell(`${victim} killed at ${done.size} events, ${receiver.got.length} requests`, from);
    await world.kill(victim);
  }
  await making;
  await receiver.until(() => done.size >= size);
  tell(`${size} events arrived`, from);
  let open: Logged[];
  do open = await readLog(world, webhook, '&status=PENDING');
  while (open.length > 0);

  const { secret, token } = v.parse(secretReply, (await world.manage('GET', 'webhook-secret')).body);
  expect(receiver.got.filter((one) => !isSigned(one, { secrets: [secret], tokens: [token] }))).toEqual([]);
  const names = new Set(receiver.got.filter(({ status }) => status === 200).map(nameOf));
  expect(names.size).toBe(size);
  const deliveries = await readLog(world, webhook);
  expect(deliveries).toHaveLength(size);
  const seenOf = Map.groupBy(receiver.got, ({ id }) => id);
  expect(new Set(seenOf.keys())).toEqual(new Set(deliveries.map(({ id }) => id)));
  const unlike = deliveries.filter(({ id, status, attempts }) => {
    const logged = attempts.map((attempt) => attempt.status);
    return (
      status !== 'SUCCEEDED' ||
      !explains(
        logged,
        (seenOf.get(id) ?? []).map((one) => one.status),
      )
    );
  });
  expect(unlike).toEqual([]);
  const failed = receiver.got.filter(({ status }) => status === 500).length;
  const doubles = receiver.got.length - failed - size;
  tell(
    `${size} events, ${receiver.got.length} requests, ${failed} failures, ${doubles} doubles, ${kills.length} kills`,
    from,
  );
});

/** Measures the time from each reply, which follows the commit, to its request at the receiver, and the rate of arrivals. */
async function measureArrivals(world: World, { got, until }: Awaited<ReturnType<typeof openKeeper>>, prefix: string) {
  const replied = new Map<string, number>();
  const already = got.length;
  const from = performance.now();
  const after = (name: string) => void replied.set(name, performance.now());
  await makeCustomers(world, measured, { prefix, after, callers: measuringCallers });
  await until(() => got.length >= already + measured);
  const arrived = got.slice(already);
  const sorted = arrived
    .map((one) => Math.max(0, one.at - (replied.get(nameOf(one)) ?? Number.NaN)))
    .toSorted((a, b) => a - b);
  const share = (part: number) => Math.round(sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN);
  const perSecond = Math.round((measured / (performance.now() - from)) * 1_000);
  const times = { p50: share(0.5), p99: share(0.99), perSecond };
  process.stdout.write(`${prefix}: p50 ${times.p50} ms, p99 ${times.p99} ms, ${perSecond} a second\n`);
  return { ...times, names: new Set(arrived.map(nameOf)) };
}

/**
 * The sender gives up after ten seconds, and a failing receiver gets fewer requests. This receiver therefore answers
 * just in time.
 */
const slowInMs = 9_500;

test('a receiver that takes ten seconds for each answer delays no event of another receiver', { timeout }, async () => {
  const world = await openWorld({ pace: 1 });
  const quick = await openKeeper(() => 200);
  await subscribe(world, quick.url);
  // The first events load the code of the workers.
  await makeCustomers(world, 10, { prefix: 'warm' });
  await quick.until(() => quick.got.length >= 10);
  const alone = await measureArrivals(world, quick, 'alone');
  expect(alone.names.size).toBe(measured);
  const slow = await openKeeper(
    () => 200,
    (send) => void setTimeout(send, slowInMs),
  );
  await subscribe(world, slow.url);
  // The slow receiver holds as many requests as it may have before the others begin.
  await makeCustomers(world, 30, { prefix: 'first' });
  await slow.until(() => slow.got.length >= 8);
  await quick.until(() => quick.got.length >= 10 + measured + 30);
  const beside = await measureArrivals(world, quick, 'beside');
  expect(beside.names.size).toBe(measured);
  // Events after the slow receiver would wait for whole answers. A busy machine slows both runs alike.
  expect(beside.p99).toBeLessThan(4 * alone.p99 + slowInMs / 2);
  expect(beside.perSecond).toBeGreaterThan(alone.perSecond / 4);
});
