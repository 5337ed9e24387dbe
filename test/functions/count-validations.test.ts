import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { findRefusalFacts } from '#addons/reports/facts/refusal-facts.ts';
import { countValidations } from '#engine/campaigns/count-validations.ts';
import { handler as getSummary } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as validateVoucherHere } from '../../functions/client/validate-voucher-from-page.ts';
import { handler as validateTier } from '../../functions/promotions/validate-promotion-tier.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as validateVoucher } from '../../functions/vouchers/validate-voucher.ts';
import { readDelivery } from '../../infra/aws/log-worker.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { couponCampaign } from '../support/lists.ts';
import { pageShop } from '../support/page-shop.ts';
import { loadProject, type TestProject } from '../support/project.ts';

/** Validations are counted for campaigns from the log lines of the requests, not by a write of theirs. */

const discount = { type: 'AMOUNT', amount_off: 100 };
const file = {
  campaigns: [
    couponCampaign('camp_coupons', 'Coupons', discount, { type: 'AUTO_UPDATE' }),
    { id: 'camp_sale', name: 'Sale', campaign_type: 'PROMOTION', type: 'STATIC' },
  ],
  vouchers: [
    { code: 'GOOD', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_coupons' },
    { code: 'OFF', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_coupons', active: false },
    { code: 'ALONE', type: 'DISCOUNT_VOUCHER', discount },
  ],
  promotion_tiers: [
    { id: 'promo_sale', name: 'Sale', campaign_id: 'camp_sale', hierarchy: 1, action: { discount } },
    { id: 'promo_off', name: 'Off', campaign_id: 'camp_sale', hierarchy: 2, action: { discount }, active: false },
  ],
};

let project: TestProject;
let lines: string[];
const dependencies = testDependencies({ log: (line: string) => lines.push(line) });
const order = { amount: 1000 };

beforeEach(async () => {
  project = await loadProject(file);
  lines = [];
});

const ask = (handler: Parameters<typeof caller>[0], request: object = {}) =>
  caller(handler, dependencies)({ headers: project.credentials, ...request });
const count = (events: readonly string[], delivery = '1') =>
  countValidations(
    tableOfFile(),
    testTime,
    events.map((message, index) => ({ id: `${delivery}-${index}`, message })),
  );
const summaryOf = async (campaignId: string) => {
  const { validations, validations_succeeded, validations_failed } = (await ask(getSummary, { params: { campaignId } }))
    .body;
  return [validations, validations_succeeded, validations_failed];
};

test('the summary counts redeemables that apply and those that do not, whichever operation validates', async () => {
  const redeemables = ['GOOD', 'OFF', 'ALONE'].map((id) => ({ object: 'voucher', id }));
  await ask(validate, { body: { redeemables, order } });
  await ask(validateVoucher, { params: { code: 'GOOD' }, body: { order } });
  await ask(validateVoucher, { params: { code: 'OFF' }, body: { order } });
  await ask(validateTier, { params: { promotionTierId: 'promo_sale', tierId: 'promo_sale' }, body: { order } });
  await ask(validatePromotions, { body: { order } });
  expect(await summaryOf('camp_coupons')).toEqual([0, 0, 0]);
  await count(lines);
  expect(await summaryOf('camp_coupons')).toEqual([4, 2, 2]);
  expect(await summaryOf('camp_sale')).toEqual([2, 2, 0]);
});

test('a delivery counts once, however often and at once it comes, and other deliveries count, too', async () => {
  for (let left = 3; left > 0; left--) await ask(validateVoucher, { params: { code: 'GOOD' }, body: { order } });
  const noise = ['text with "validated" that is not JSON', '{"validated": 5}', 'START RequestId: 1', '{}'];
  const mixed = [...noise, ...lines.map((line) => `2026-06-15T12:00:00Z\tid\tINFO\t${line}`)];
  await Promise.all(Array.from({ length: 20 }, () => count(mixed)));
  expect(await summaryOf('camp_coupons')).toEqual([3, 3, 0]);
  await count(mixed, '2');
  await count(mixed);
  expect(await summaryOf('camp_coupons')).toEqual([6, 6, 0]);
});

test('a delivery about more campaigns than a transaction takes counts once, even if it is interrupted between two', async () => {
  const many = Array.from({ length: 130 }, (_, index) => `camp_${index}`);
  const message = JSON.stringify({
    time: testTime.toISOString(),
    project_id: project.id,
    validated: Object.fromEntries([...many, 'camp_coupons'].map((id) => [id, [1, 2]])),
    validated_on: '2026-06-15',
  });
  const table = tableOfFile();
  const events = [{ id: 'big', message }];
  let calls = 0;
  const mortal = Object.assign(Object.create(table), {
    transact: (...sent: Parameters<typeof table.transact>) => {
      calls += 1;
      if (calls === 2) throw new Error('cut off');
      return table.transact(...sent);
    },
  });
  await expect(countValidations(mortal, testTime, events)).rejects.toThrow('cut off');
  await countValidations(table, testTime, events);
  await countValidations(table, testTime, events);
  expect(await summaryOf('camp_coupons')).toEqual([3, 1, 2]);
});

describe('a validation of an operator who only looks', () => {
  const looking = (handler: Parameters<typeof caller>[0], request: object, channel = 'Tessera-Console') =>
    ask(handler, { ...request, headers: { ...project.credentials, 'x-voucherify-channel': channel } });
  const redeemables = ['GOOD', 'OFF'].map((id) => ({ object: 'voucher', id }));

  test('answers like any other, and counts in no summary and as no refusal, whichever operation validates', async () => {
    const usual = await ask(validateVoucher, { params: { code: 'OFF' }, body: { order } });
    lines = [];
    const looked = await looking(validateVoucher, { params: { code: 'OFF' }, body: { order } });
    expect([looked.status, looked.body.reason]).toEqual([200, usual.body.reason]);
    const both = await looking(validate, { body: { redeemables, order } });
    expect(both.body.valid).toBe(false);
    await looking(validateTier, { params: { promotionTierId: 'promo_sale', tierId: 'promo_sale' }, body: { order } });
    await looking(validatePromotions, { body: { order } });
    await count(lines);
    expect([await summaryOf('camp_coupons'), await summaryOf('camp_sale')]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(findRefusalFacts(lines.map((message, id) => ({ id: String(id), message })))).toEqual([]);
  });

  test('counts under any other name of the channel', async () => {
    await looking(validateVoucher, { params: { code: 'OFF' }, body: { order } }, 'Till 4');
    await count(lines);
    expect(await summaryOf('camp_coupons')).toEqual([1, 0, 1]);
    expect(findRefusalFacts(lines.map((message, id) => ({ id: String(id), message })))).toHaveLength(1);
  });

  test('counts if it comes from a page, whose key anybody can read', async () => {
    const shop = await pageShop();
    const headers = { ...shop.headers, 'x-voucherify-channel': 'Tessera-Console' };
    await caller(validateVoucherHere, dependencies)({ headers, query: 'code=PICKY' });
    expect(findRefusalFacts(lines.map((message, id) => ({ id: String(id), message })))).toHaveLength(1);
  });
});

describe('the operations whose log lines are delivered', () => {
  test('are the validating ones, and the one that validates the cart of an agent', () => {
    const named = operations.filter(({ route }) => route.validates).map(({ name }) => name);
    const validating = operations.map(({ name }) => name).filter((name) => /^validate-|^discount-cart$/.test(name));
    expect(named.sort()).toEqual(validating.sort());
    expect(named.length).toBeGreaterThan(5);
  });
});

test('log deliveries of CloudWatch Logs are counted, and its test messages are not', async () => {
  await ask(validateVoucher, { params: { code: 'GOOD' }, body: { order } });
  const logEvents = lines.map((message, index) => ({ id: `3700${index}`, timestamp: 1, message }));
  const delivered = (messageType: string) =>
    readDelivery(gzipSync(JSON.stringify({ messageType, owner: '1', logEvents })).toString('base64'));
  expect(delivered('CONTROL_MESSAGE')).toEqual([]);
  await countValidations(tableOfFile(), testTime, delivered('DATA_MESSAGE'));
  expect(await summaryOf('camp_coupons')).toEqual([1, 1, 0]);
});
