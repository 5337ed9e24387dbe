import { describe, expect, test } from 'vitest';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { handler as updateHandler } from '../../../../functions/campaigns/update-campaign.ts';
import { handler as voucherHandler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { newClient } from '../../../support/dependencies.ts';
import {
  chunksOf,
  codesOf,
  create,
  expectExact,
  items,
  newWorld,
  open,
  read,
  run,
  type World,
} from '../../../support/generation.ts';
import { deliver } from '../../../support/outbox.ts';
import { isLong } from '../../../support/sampled.ts';

/**
 * Uses fewer simultaneous workers than the stack's queue. One engine on one core serves all of them here, and other
 * tests.
 */
const lanes = 4;

async function deliverInLanes(chunks: readonly Record<string, unknown>[], dependencies: World['dependencies']) {
  for await (const some of splitIntoBatches(chunks, lanes)) await deliver(some, dependencies);
}

const count = isLong ? 30_000 : 1_100;
/** A larger number shows nothing more while something else runs. */
const countBeside = isLong ? 10_000 : 1_100;

test(`${count} codes are all distinct, of the pattern, readable by code and id, and counted exactly`, {
  timeout: 600_000,
}, async () => {
  const world = await newWorld();
  const code_config = { pattern: 'SALE-########', charset: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789' };
  const discount = { type: 'PERCENT', percent_off: 5 };
  const campaignId = await create(world, { name: 'Sale', vouchers_count: count, voucher: { code_config, discount } });
  await run(world);
  const codes = await expectExact(world, campaignId, count);
  for (const code of codes) expect(code).toMatch(/^SALE-[A-HJ-NP-Z2-9]{8}$/);
  const get = caller(voucherHandler, world.dependencies);
  for (let index = 0; index < count; index += Math.ceil(count / 50)) {
    const { body } = await get({ params: { code: codes[index] ?? '' }, headers: world.project.credentials });
    expect(body).toMatchObject({
      code: codes[index],
      campaign: 'Sale',
      active: true,
      discount,
      redemption: { quantity: null, redeemed_quantity: 0 },
      created_at: '2026-06-15T12:00:00.000Z',
    });
    expect((await get({ params: { code: body.id }, headers: world.project.credentials })).body).toEqual(body);
  }
});

test('a campaign without vouchers is done as soon as the worker has seen it', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 0 });
  expect(await read(world, campaignId)).toMatchObject({ creation_status: 'IN_PROGRESS' });
  await run(world);
  await expectExact(world, campaignId, 0);
});

test('the count grows with the work done, and the campaign is readable all the while', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 2_050 });
  await deliver(await open(world), world.dependencies);
  const chunks = await chunksOf(world);
  expect(chunks).toHaveLength(3);
  const seen: number[] = [];
  for (const chunk of chunks) {
    expect((await read(world, campaignId)).creation_status).toBe('IN_PROGRESS');
    await deliver([chunk], world.dependencies);
    seen.push((await read(world, campaignId)).vouchers_count);
  }
  expect(seen.at(-1)).toBe(2_050);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  await expectExact(world, campaignId, 2_050);
});

test(`an update while ${countBeside} codes are generated shows in a voucher at once, and generation ends exact`, {
  timeout: 600_000,
}, async () => {
  const world = await newWorld();
  const { project, dependencies } = world;
  const voucher = { discount: { type: 'PERCENT', percent_off: 5 } };
  const campaignId = await create(world, { vouchers_count: countBeside, voucher });
  await deliver(await open(world), dependencies);
  const [first = {}, ...others] = await chunksOf(world);
  await deliver([first], dependencies);
  const [code = ''] = await codesOf(world, campaignId);

  const running = deliverInLanes(others, dependencies);
  const discount = { type: 'AMOUNT', amount_off: 700 };
  // Endpoints are other containers than workers, so their calls do not wait for the workers' connections.
  const beside = { ...dependencies, dynamodb: newClient() };
  const updated = await caller(
    updateHandler,
    beside,
  )({
    params: { campaignId },
    headers: project.credentials,
    body: { discount },
  });
  const modifying = { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' };
  expect(updated).toMatchObject({ status: 200, body: modifying });
  const shown = await caller(voucherHandler, beside)({ params: { code }, headers: project.credentials });
  expect(shown.body).toMatchObject({ code, discount });

  await running;
  await run(world);
  await expectExact(world, campaignId, countBeside);
});

describe('a code space that is barely large enough', () => {
  test('for two campaigns gives each exactly its codes and overwrites none; a third that cannot fit ends FAILED with its count true', async () => {
    const world = await newWorld({
      vouchers: [{ code: 'T-00000', type: 'DISCOUNT_VOUCHER', additional_info: 'first' }],
    });
    const code_config = { pattern: 'T-#####', charset: '0123' };
    const body = { vouchers_count: 450, voucher: { code_config } };
    const [first, second] = await Promise.all([create(world, body), create(world, body)]);
    await run(world);
    await expectExact(world, first as string, 450);
    await expectExact(world, second as string, 450);
    const third = await create(world, body);
    await run(world);
    await expectExact(world, third, 1_023 - 2 * 450, 'FAILED');
    const { body: old } = await caller(
      voucherHandler,
      world.dependencies,
    )({ params: { code: 'T-00000' }, headers: world.project.credentials });
    expect(old).toMatchObject({ additional_info: 'first', campaign: null });
    expect(await items(world, 'VOUCHER')).toHaveLength(1_024);
  });
});

test('no code of a campaign is in the log', async () => {
  const world = await newWorld();
  const campaignId = await create(world, { vouchers_count: 3, voucher: { code_config: { prefix: 'SECRET-' } } });
  await run(world);
  await expectExact(world, campaignId, 3);
  expect(world.dependencies.lines.join()).not.toContain('SECRET-');
});
