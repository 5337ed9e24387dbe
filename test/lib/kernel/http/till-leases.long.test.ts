import { describe, expect, test } from 'vitest';
import { copies } from '#kernel/http/till-bucket.ts';
import { TillLeases, tillBuckets } from '#kernel/http/till-leases.ts';
import { AmbiguousWriteError, NoCapacityError } from '#kernel/table/conflicts.ts';
import { Table } from '#kernel/table/table.ts';
import { clientWith } from '../../../support/client.ts';
import { standingClock, testDependencies, uniqueId } from '../../../support/dependencies.ts';

/** Makes containers that serve one project by one clock. */
function fleet(size: number, rate: number, projectId = uniqueId('proj_')) {
  const { tableName, dynamodb } = testDependencies();
  const clock = standingClock();
  const containers = Array.from({ length: size }, () => {
    const leases = new TillLeases();
    /** Returns the milliseconds until another try is worthwhile, or that the call is served. */
    const call = async (client = dynamodb) => {
      const now = clock();
      const table = new Table(client, tableName, now);
      const freeAt = await leases.take(table, { projectId, rate, now });
      return { waitInMs: freeAt === undefined ? undefined : freeAt - now.getTime(), writes: table.meter.calls };
    };
    return call;
  });
  return { clock, containers, projectId };
}

type Outcome = Awaited<ReturnType<ReturnType<typeof fleet>['containers'][number]>>;
const servedOf = (outcomes: readonly Outcome[]) => outcomes.filter(({ waitInMs }) => waitInMs === undefined).length;

describe('sixty-four containers at once', () => {
  test.each([5, 80, 403])(
    'serve at %i calls a second never more than the rate allows, and most of the rate',
    async (rate) => {
      const { clock, containers } = fleet(64, rate);
      const burst = Math.max(copies, rate);
      const callsOfEach = Math.ceil((2 * burst) / containers.length);
      let served = 0;
      const everybody = () =>
        Promise.all(
          containers.map(async (call) => {
            const outcomes = [];
            for (let index = 0; index < callsOfEach; index++) outcomes.push(await call());
            return servedOf(outcomes);
          }),
        );
      for (let turn = 0; turn <= 4; turn++) {
        served += (await everybody()).reduce((sum, some) => sum + some, 0);
        expect(served).toBeLessThanOrEqual((rate * turn) / 2 + burst);
        clock.advance(0.5);
      }
      expect(served).toBeGreaterThan(0.7 * (rate * 2 + burst));
    },
  );

  test('share all calls of all copies if each makes a call at one moment', async () => {
    const { containers } = fleet(64, 32);
    const outcomes = await Promise.all(containers.map((call) => call()));
    expect(servedOf(outcomes)).toBe(32);
  });
});

describe('one container', () => {
  test('writes once per call if few calls come, and once for many calls if many come', async () => {
    const { clock, containers } = fleet(1, 1_000);
    const [call = Promise.reject] = containers;
    for (let second = 0; second < 3; second++) {
      expect(await call()).toEqual({ waitInMs: undefined, writes: 1 });
      clock.advance(1);
    }
    let [writes, served] = [0, 0];
    for (let index = 0; index < 400; index++) {
      const outcome = await call();
      writes += outcome.writes;
      served += servedOf([outcome]);
      clock.advance(0.002);
    }
    expect(served).toBe(400);
    expect(writes).toBeLessThan(30);
  });

  test('serves simultaneous calls from one lease after the other', async () => {
    const [call = Promise.reject] = fleet(1, 8).containers;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(servedOf(outcomes)).toBe(8);
    expect(outcomes.reduce((sum, { writes }) => sum + writes, 0)).toBe(8);
  });

  test('refuses without a write once it knows that no copy has a call, and says when one has', async () => {
    const { clock, containers } = fleet(1, 4);
    const [call = Promise.reject] = containers;
    for (let index = 0; index < copies; index++) expect((await call()).waitInMs).toBeUndefined();
    // Two copies earn a call in four seconds.
    for (let index = 0; index < 3; index++) expect(await call()).toEqual({ waitInMs: 2_000, writes: 0 });
    clock.advance(1.5);
    expect(await call()).toEqual({ waitInMs: 500, writes: 0 });
    clock.advance(0.5);
    expect(await call()).toEqual({ waitInMs: undefined, writes: 1 });
  });

  test('loses the unused rest of a lease after 100 ms', async () => {
    const { clock, containers } = fleet(1, 80);
    const [call = Promise.reject] = containers;
    // The third call begins a lease of four.
    const writes = [];
    for (let index = 0; index < 5; index++) writes.push((await call()).writes);
    expect(writes).toEqual([1, 1, 0, 1, 0]);
    clock.advance(0.099);
    expect((await call()).writes).toBe(0);
    clock.advance(0.001);
    expect((await call()).writes).toBe(1);
  });

  test('checks an empty bucket less and less often while others take all its calls', async () => {
    const { clock, containers } = fleet(2, 80);
    const [call = Promise.reject, other = Promise.reject] = containers;
    const takeAll = async () => {
      while ((await other()).waitInMs === undefined);
    };
    await takeAll();
    const waits: unknown[] = [];
    for (let walk = 0; walk < 5; walk++) {
      const { waitInMs = 0 } = await call();
      waits.push(waitInMs);
      clock.advance(waitInMs / 1_000);
      await takeAll();
    }
    expect(waits).toEqual([100, 200, 400, 800, 800]);
  });

  test('counts calls by a new rate as soon as it knows the rate', async () => {
    const { tableName, dynamodb } = testDependencies();
    const [leases, projectId, now] = [new TillLeases(), uniqueId('proj_'), standingClock()()];
    const take = (rate: number) => leases.take(new Table(dynamodb, tableName, now), { projectId, rate, now });
    for (let index = 0; index < copies; index++) expect(await take(1)).toBeUndefined();
    expect(await take(1)).toBe(now.getTime() + 8_000);
    // A copy saves for a second only, and has given away nothing yet.
    expect(await take(800)).toBe(now.getTime() + 100);
  });

  test('answers like a table without capacity if it is unknown whether the bucket was written', async () => {
    const { containers } = fleet(1, 8);
    const [call = Promise.reject] = containers;
    const { dynamodb } = testDependencies();
    const lost = clientWith(dynamodb, () => Promise.reject(new AmbiguousWriteError('lost')));
    await expect(call(lost)).rejects.toThrow(NoCapacityError);
  });
});

test("the items of a project are separate from each other and from other projects' items", async () => {
  const keys = ['one', 'two'].flatMap((project) => [0, 7].map((copy) => tillBuckets(project, String(copy)).pk));
  expect(new Set(keys).size).toBe(4);
});
