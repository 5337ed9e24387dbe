import { expect, test } from 'vitest';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getVoucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { newWorld, percent } from '../support/deleted-campaigns.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs } from '../support/outbox.ts';
import { isLong } from '../support/sampled.ts';

const count = isLong ? 10_000 : 1_100;

test(`${count} codes go with their campaign, the job killed twice half-way: none is left, none of others touched, all counted`, {
  timeout: 900_000,
}, async () => {
  const world = await newWorld();
  const create = async (body: Record<string, unknown>) => (await world.ask(createHandler, {}, { body })).body.id;
  const id = await create({ vouchers_count: count, voucher: { discount: percent } });
  const other = await create({ vouchers_count: 50 });
  await world.run();
  const vouchersOf = async (campaignId: string) =>
    (await itemsOf(world.id, 'VOUCHER', world.dependencies)).filter((one) => one.campaign_id === campaignId);
  const others = await vouchersOf(other);
  const [one] = await vouchersOf(id);
  const { body } = await world.remove(id);
  expect((await world.ask(getVoucherHandler, { code: String(one?.code) })).status).toBe(404);

  const { tableName } = world.dependencies;
  for (const isLastDone of [true, false]) {
    const worker = mortal(Math.ceil(count / 90), isLastDone, { tableName });
    await deliver(await openJobs(world.id, world.dependencies), worker);
    const left = (await vouchersOf(id)).length;
    expect([left > 0, left < count]).toEqual([true, true]);
  }
  await world.run();
  expect(await world.leftOf(id)).toEqual([]);
  expect(await vouchersOf(other)).toEqual(others);
  expect(await world.resultOf(body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', count]);
});

test('a generation that still runs while its campaign is deleted ends without a failure, and leaves nothing', {
  timeout: 120_000,
}, async () => {
  const world = await newWorld();
  const { body } = await world.ask(createHandler, {}, { body: { vouchers_count: 2_100 } });
  const jobs = () => openJobs(world.id, world.dependencies);
  await deliver(await jobs(), world.dependencies);
  const chunks = (await jobs()).filter(({ kind }) => kind === 'generate-chunk');
  expect(chunks).toHaveLength(3);
  // One generation runs while the campaign is deleted, one was killed half-way, one has not begun.
  await deliver(chunks.slice(1, 2), mortal(8, true, { tableName: world.dependencies.tableName }));
  const running = deliver(chunks.slice(0, 1), world.dependencies);
  const deleted = await world.remove(body.id);
  expect(deleted.status).toBe(202);
  await deliver(await jobs(), world.dependencies);
  await running;
  await world.run();
  expect(await world.leftOf(body.id)).toEqual([]);
  expect(await jobs()).toEqual([]);
  expect(world.dependencies.lines.join()).not.toContain('given_up');
});
