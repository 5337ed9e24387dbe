import { expect, test } from 'vitest';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { findJob, resumeJob } from '#kernel/kit/jobs/operate.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import { handler as getSegment } from '../../functions/segments/get-segment.ts';
import { caller } from '../support/call.ts';
import { observed } from '../support/commands.ts';
import { testDependencies } from '../support/dependencies.ts';
import { darkRoast, fixed, openEarning } from '../support/earning.ts';
import { tableOfFile } from '../support/listed.ts';
import { card } from '../support/loyalty.ts';
import { deliver, messagesFor, openJobs } from '../support/outbox.ts';
import { watched } from '../support/permissions.ts';

const person = (index: number) => ({ id: `cust_${index}`, source_id: `crm-${index}`, metadata: { roast: 'dark' } });

/** Loads Ada, who drinks light roast, `inBefore` others who drink dark, and a passive segment of the latter. */
async function openPassive(inBefore = 1) {
  const world = await openEarning({
    customers: [
      { id: 'cust_ada', name: 'Ada', metadata: { roast: 'light' } },
      ...Array.from({ length: inBefore }, (_, index) => person(index)),
    ],
    vouchers: [card('ADA', 0, { holder_id: 'cust_ada' }), card('ZERO', 0, { holder_id: 'cust_0' })],
  });
  const { id } = await world.ask(createSegment, { body: { ...darkRoast('Dark'), type: 'passive' } });
  const params = { segmentId: id };
  const rule = { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(20) };
  const roast = (customerId: string, name: string) =>
    world.ask(saveCustomer, { body: { id: customerId, metadata: { roast: name } } });
  return {
    ...world,
    params,
    rule,
    turn: () => world.rules('camp_club', rule),
    /** Waits until the list shows all customers from before the change. */
    waitForList: () => world.clock.advance(10),
    segment: () => world.ask(getSegment, { params }),
    listed: async () => (await world.ask(listCustomers, { query: `segment_id=${id}` })).customers.length,
    roast,
    /** Returns activities of customers, without activities of cards. */
    told: async () => (await world.items('ACTIVITY')).filter(({ type }) => String(type).includes('segment')),
    job: async () => (await openJobs(world.project.id)).filter(({ kind }) => kind === 'sync-segment'),
  };
}

test('a rule that names a passive segment makes it active, and its present customers earn nothing and get no activity', async () => {
  const { turn, waitForList, segment, run, follow, told, balance, roast, listed } = await openPassive();
  await turn();
  expect(await segment()).toMatchObject({ type: 'auto-update', updated_at: expect.any(String) });
  expect(await segment()).not.toHaveProperty('turning');
  expect(await listed()).toBe(1);
  waitForList();
  await run();
  await follow(3);
  expect([await told(), await balance('ZERO'), await listed()]).toEqual([[], 0, 1]);
  await roast('cust_ada', 'dark');
  await roast('cust_0', 'light');
  await follow(3);
  expect([await balance('ADA'), await balance('ZERO'), await listed()]).toEqual([20, 0, 1]);
  expect((await told()).map(({ type }) => type).sort()).toEqual(['customer.segment.entered', 'customer.segment.left']);
  await roast('cust_0', 'dark');
  await follow(3);
  expect([await balance('ADA'), await balance('ZERO')]).toEqual([20, 20]);
});

test('twenty rules at once activate it once, by one job, and parallel work gives present customers no activity', async () => {
  const world = await openPassive(45);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => world.rules(index % 2 ? 'camp_club' : 'camp_open', world.rule)),
  );
  expect(await world.items('EARNING_RULE')).toHaveLength(20);
  expect(await world.job()).toHaveLength(1);
  world.waitForList();
  await Promise.all([world.run(), world.run(), world.follow()]);
  await world.follow();
  expect([await world.told(), await world.balance('ZERO'), await world.listed()]).toEqual([[], 0, 10]);
  expect(await world.items('SEGMENT_MEMBER')).toHaveLength(45);
  expect((await world.items('SEGMENT#')).map(({ type, turning }) => [type, turning])).toEqual([
    ['auto-update', undefined],
  ]);
});

test('the activation is safe if its job stops after any call, and if nothing was done before other work', async () => {
  const world = await openPassive(45);
  await world.turn();
  await world.follow(2);
  expect(await world.told()).toEqual([]);
  world.waitForList();
  const dependencies = testDependencies({ clock: world.clock });
  for (let calls = 1; (await world.job()).length > 0; calls++) {
    let left = calls;
    const dynamodb = watched(dependencies.dynamodb, () => {
      if (left-- <= 0) throw new Error('cut off');
    });
    const keys = (await world.job()).map(keyOf);
    await runMessages(messagesFor(keys), { ...dependencies, dynamodb }, createWorks());
    if (calls > 200) throw new Error('the job never ends');
  }
  expect((await world.items('SEGMENT#'))[0]).not.toHaveProperty('turning');
  await world.follow();
  expect([await world.told(), await world.balance('ZERO')]).toEqual([[], 0]);
  expect(await world.items('SEGMENT_MEMBER')).toHaveLength(45);
});

test('a customer who is created during the activation has entered the segment', async () => {
  const world = await openPassive();
  await world.turn();
  world.clock.advance(1);
  await world.ask(saveCustomer, { body: { source_id: 'crm-new', metadata: { roast: 'dark' } } });
  await world.follow(2);
  world.waitForList();
  await world.run();
  await world.follow();
  expect((await world.told()).map(({ type }) => type)).toEqual(['customer.segment.entered']);
});

test('the job waits until the list has all customers from before the activation', async () => {
  const world = await openPassive();
  await world.turn();
  const dependencies = testDependencies({ clock: world.clock });
  await deliver(await world.job(), dependencies);
  expect([(await world.job()).length, await world.items('SEGMENT_MEMBER')]).toEqual([1, []]);
  world.waitForList();
  await deliver(await world.job(), dependencies);
  expect([(await world.job()).length, (await world.items('SEGMENT_MEMBER')).length]).toEqual([0, 1]);
});

test('a segment that is deleted during the activation remembers nobody', async () => {
  const world = await openPassive(3);
  await world.turn();
  await world.ask(deleteSegment, { params: world.params });
  world.waitForList();
  await world.run();
  await world.follow();
  expect([await world.items('SEGMENT_MEMBER'), await world.told()]).toEqual([[], []]);
});

test('a refused rule leaves the segment passive', async () => {
  const world = await openPassive();
  const refused = await caller(
    createRules,
    testDependencies(),
  )({
    headers: world.project.credentials,
    params: { campaignId: 'camp_club' },
    body: [world.rule, { event: 'nope', loyalty: fixed(1) }],
  });
  expect(refused.status).toBe(400);
  expect(await world.segment()).toMatchObject({ type: 'passive', updated_at: null });
  expect(await world.job()).toEqual([]);
});

test('the turn that a job was given up in is finished by the job that an operator resumes', async () => {
  const world = await openPassive(3);
  await world.turn();
  world.waitForList();
  const dependencies = testDependencies({ clock: world.clock });
  const [job] = await world.job();
  if (!job) throw new Error('no job turns the segment');
  const dynamodb = observed(dependencies.dynamodb, {
    before: ({ name }) => {
      if (name === 'QueryCommand') throw new Error('broken');
    },
  });
  for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver([job], { ...dependencies, dynamodb });
  const table = tableOfFile();
  const failed = await findJob(table, String(job.pk));
  expect([failed?.state, (await world.items('SEGMENT#'))[0]?.turning]).toEqual(['FAILED', expect.any(String)]);
  if (failed) await resumeJob(table, failed, world.clock());
  await deliver(await world.job(), dependencies);
  expect((await world.items('SEGMENT#'))[0]).not.toHaveProperty('turning');
  await world.follow();
  expect([await world.told(), (await world.items('SEGMENT_MEMBER')).length]).toEqual([[], 3]);
});
