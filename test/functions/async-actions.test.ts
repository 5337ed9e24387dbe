import { describe, expect, test } from 'vitest';
import { handler as getHandler } from '../../functions/async-actions/get-async-action.ts';
import { handler as listHandler } from '../../functions/async-actions/list-async-actions.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const clock = standingClock();
const dependencies = { ...testDependencies(), clock };

const project = await loadProject({}, dependencies);

const list = async (query = '', { credentials }: TestProject = project) =>
  (await caller(listHandler, dependencies)({ headers: credentials, query })).body;
const get = (asyncActionId: string) =>
  caller(getHandler, dependencies)({ headers: project.credentials, params: { asyncActionId } });
const create = async (vouchers_count: number, headers = project.credentials) =>
  (await caller(createHandler, dependencies)({ headers, body: { vouchers_count } })).body;

test("a new campaign's codes are an action that waits, runs, and ends with their number", async () => {
  const campaign = await create(1_010);
  const { async_actions } = await list('limit=1');
  const [{ id }] = async_actions;
  const enqueued = {
    id,
    type: 'CAMPAIGN.VOUCHERS_GENERATE',
    status: 'ENQUEUED',
    progress: 0,
    updated_at: null,
    operation_status: 'UNKNOWN',
  };
  expect(async_actions).toEqual([
    { ...enqueued, object: 'async_action', created_at: campaign.created_at, request_id: expect.any(String) },
  ]);
  expect((await get(id)).body).toEqual({ ...async_actions[0], processing_time: 0 });

  clock.advance(5);
  await deliver(await openJobs(project.id), dependencies);
  const [chunk = {}] = (await openJobs(project.id)).filter(({ index }) => index === 1);
  await deliver([chunk], dependencies);
  clock.advance(2);
  const going = { status: 'IN_PROGRESS', progress: 0, processing_time: 2_000 };
  expect((await get(id)).body).toMatchObject(going);
  expect((await get(id)).body).not.toHaveProperty('result');

  await runOutbox(project.id, dependencies);
  clock.advance(60);
  expect((await get(id)).body).toMatchObject({
    status: 'DONE',
    operation_status: 'SUCCESS',
    progress: 100,
    processing_time: 2_000,
    updated_at: '2026-06-15T12:00:07.000Z',
    result: { message: 'Vouchers of the campaign are generated: done', done_count: 1_010 },
  });
});

test('an update of a campaign is an action of its own, and so is the next update', async () => {
  const alone = await loadProject();
  const headers = alone.credentials;
  const { id } = await create(0, headers);
  const update = (description: string) =>
    caller(updateHandler, dependencies)({ headers, params: { campaignId: id }, body: { description } });
  await update('One');
  await update('Two');
  await runOutbox(alone.id, dependencies);
  const shown = (await list('', alone)).async_actions.map((one: Record<string, unknown>) => [one.type, one.status]);
  expect(shown).toEqual([
    ['CAMPAIGN.VOUCHERS_UPDATE', 'DONE'],
    ['CAMPAIGN.VOUCHERS_UPDATE', 'DONE'],
    ['CAMPAIGN.VOUCHERS_GENERATE', 'DONE'],
  ]);
});

describe('the list', () => {
  test('is newest first, page by page, and ends before `end_date`', async () => {
    const alone = await loadProject();
    const times: string[] = [];
    for (let number = 0; number < 3; number++) {
      clock.advance(10);
      times.unshift((await create(0, alone.credentials)).created_at);
    }
    const timesOf = ({ async_actions }: { async_actions: { created_at: string }[] }) =>
      async_actions.map(({ created_at }) => created_at);
    const all = await list('', alone);
    expect([timesOf(all), all.has_more]).toEqual([times, false]);
    const page = await list('limit=2', alone);
    expect([timesOf(page), page.has_more]).toEqual([times.slice(0, 2), true]);
    const rest = await list(`limit=2&end_date=${times[1]}`, alone);
    expect([timesOf(rest), rest.has_more]).toEqual([times.slice(2), false]);
    expect(timesOf(await list('end_date=2026-01-01', alone))).toEqual([]);
    expect(timesOf(await list('end_date=2100-01-01T00:00', alone))).toEqual(times);
  });

  test('refuses an end that is no date', async () => {
    const query = 'end_date=yesterday';
    expect((await caller(listHandler)({ headers: project.credentials, query })).status).toBe(400);
  });
});

test.each(['aa_none', 'aa_of_the_example', 'camp_1#0'])('%s is a 404', async (id) => {
  const { status, body } = await get(id);
  expect([status, body.resource_type]).toEqual([404, 'async_action']);
});
