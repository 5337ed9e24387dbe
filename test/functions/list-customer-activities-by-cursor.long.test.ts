import { beforeAll, describe, expect, test } from 'vitest';
import { activitiesUpTo, activity, callsOf, idsOf, minute, orders, walk } from '../support/activities.ts';
import { club } from '../support/club.ts';
import { ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';

test('one entry of a ledger stands for several activities, and a walk neither skips nor repeats one', async () => {
  const project = await loadProject(club);
  const calls = callsOf(project);
  // The customer rises to gold together with the points.
  await calls.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
  await calls.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
  for (const order of orders) {
    const seen = await walk(calls, `limit=1&order=${order}`);
    expect(new Set(idsOf(seen)).size).toBe(7);
    expect(seen).toHaveLength(7);
  }
  const range = `start_date=${testTime.toISOString()}&end_date=${testTime.toISOString()}`;
  expect((await calls.list(range)).body.total).toBe(7);
  expect((await calls.list(`${range}&campaign_id=camp_club`)).body.total).toBe(5);
});

describe('activities of one moment have any ids', () => {
  const ids = [...Array.from({ length: 12 }, (_, index) => `import.${index}`), 'import', 'é', '\uff21', '😀', '#', '$'];
  let calls: ReturnType<typeof callsOf>;
  beforeAll(async () => {
    const activities = ids.map((id) => ({ ...activity(0), id, created_at: minute(5) }));
    calls = callsOf(await loadProject({ ...club, activities: [...activities, activity(4), activity(40)] }));
  });

  test.each(sampled(orders, 2))('a walk by %s meets each once', async (order) => {
    for (const limit of isLong ? [1] : [3]) {
      const seen = await walk(calls, `limit=${limit}&order=${order}`);
      expect(idsOf(seen).sort()).toEqual([...ids, 'act_000004', 'act_000040'].sort());
    }
  });

  test('a part of the list has the order of the whole', async () => {
    for (const order of ['created_at', '-created_at']) {
      const [whole, part] = await Promise.all(
        ['', '&campaign_type=LOYALTY_PROGRAM'].map((more) => walk(calls, `order=${order}${more}`)),
      );
      expect(part?.length).toBeGreaterThan(ids.length);
      expect(part).toEqual(whole);
    }
  });

  test('the bounds of a range have them all, and starting_after none', async () => {
    const at = minute(5);
    for (const order of ['created_at', '-created_at', 'type']) {
      const { body } = await calls.list(`start_date=${at}&end_date=${at}&order=${order}&limit=100`);
      expect(body.total).toBe(ids.length);
      expect(body.data).toHaveLength(ids.length);
    }
    expect((await calls.list(`starting_after=${at}&order=created_at`)).body.data).toMatchObject([{ id: 'act_000040' }]);
    expect((await calls.list(`starting_after=${at}&order=-created_at`)).body.data).toMatchObject([
      { id: 'act_000004' },
    ]);
  });
});

test.each(sampled(orders, 2))(
  'a walk by %s meets each earlier activity exactly once, while new ones arrive',
  async (order) => {
    const clock = standingClock();
    const calls = callsOf(await loadProject({ ...club, activities: activitiesUpTo(40) }), testDependencies({ clock }));
    const seen = await walk(calls, `limit=6&order=${order}`, async (page) => {
      if (page > 6) return;
      clock.advance(1);
      await calls.send({ event: 'visited', customer: { id: 'cust_ada' } });
    });
    const ids = idsOf(seen);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => /^act_\d{6}$/.test(id)).sort()).toEqual(idsOf(activitiesUpTo(40)));
  },
);

describe('with 10,000 activities (1,000 unless the run is long)', () => {
  const count = isLong ? 3_000 : 1_000;

  test('each page reads about a page: the first, a deep one, and one of a campaign; and the cursor walks them all', {
    timeout: 600_000,
  }, async () => {
    const tableName = await ownTable();
    const dependencies = testDependencies({ tableName });
    const project = await loadProject({ ...club, activities: activitiesUpTo(count) }, dependencies);
    const small = await loadProject({ ...club, activities: activitiesUpTo(10) }, dependencies);
    const unitsOf = async (shop: TestProject, query: string, total: number) => {
      const own = testDependencies({ tableName });
      const { body } = await callsOf(shop, own).list(query);
      expect(body).toMatchObject({ total });
      expect(body.data).toHaveLength(10);
      return JSON.parse(own.lines.at(-1) ?? '').read_units as number;
    };
    const page = await unitsOf(small, '', 10);
    expect(page).toBeGreaterThan(0);
    for (const [query, total] of [
      ['', count],
      ['starting_after_id=act_000500', count],
      [`starting_after=${minute(100)}`, count],
      ['campaign_id=camp_club', count / 4],
      ['campaign_id=camp_club&starting_after_id=act_000400', count / 4],
    ] as const) {
      expect(await unitsOf(project, query, total)).toBeLessThanOrEqual(3 * page);
    }
    const calls = callsOf(project, dependencies);
    const seen = await walk(calls, 'limit=100');
    expect(idsOf(seen)).toEqual(idsOf(activitiesUpTo(count)).toReversed());
    const last = (await calls.list('order=type&limit=3')).body;
    expect(last).toMatchObject({
      total: count,
      data: [{ id: 'act_000000' }, { id: 'act_000003' }, { id: 'act_000006' }],
    });
  });
});
