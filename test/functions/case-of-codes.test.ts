import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { coupon } from '../support/lists.ts';
import { asServer, manageProjects, projectBody } from '../support/managed-projects.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { faultsOf, loadFile, projectFile } from '../support/project.ts';

async function newShop(isSensitive: boolean) {
  const { body: project } = await manageProjects().create(projectBody({ case_sensitive_codes: isSensitive }));
  const headers = asServer(project.server_side_key);
  const ask = (handler: Endpoint, request: object) => caller(handler, testDependencies())({ headers, ...request });
  const voucher = (code: string) => coupon(code, { type: 'PERCENT', percent_off: 10 }, { redemption: { quantity: 1 } });
  return {
    id: project.id as string,
    ask,
    voucher,
    create: (code: string) => ask(createVoucher, { params: { code }, body: voucher(code) }),
    get: (code: string) => ask(getVoucher, { params: { code } }),
    redeem: (...codes: string[]) =>
      ask(redeem, { body: { redeemables: codes.map((id) => ({ object: 'voucher', id })) } }),
  };
}

describe('codes of a project that ignores case', () => {
  test('are found, redeemed once and filtered in any spelling, and shown in the first spelling', async () => {
    const shop = await newShop(false);
    expect((await shop.create('Spring-ÆØÅ')).body.code).toBe('Spring-ÆØÅ');
    for (const spelling of ['Spring-ÆØÅ', 'SPRING-ÆØÅ', 'spring-æøå']) {
      expect((await shop.get(spelling)).body.code).toBe('Spring-ÆØÅ');
      expect((await shop.ask(listVouchers, { query: `code=${encodeURIComponent(spelling)}` })).body.total).toBe(1);
    }
    expect((await shop.redeem('SPRING-æøå')).status).toBe(200);
    expect((await shop.redeem('Spring-ÆØÅ')).status).toBe(400);
  });

  test('are taken in any spelling, also by twenty creations at once and within an import', async () => {
    const shop = await newShop(false);
    const spellings = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'TAKEN' : 'taken'));
    const replies = await Promise.all(spellings.map((spelling) => shop.create(spelling)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const both = [shop.voucher('One'), shop.voucher('ONE')];
    expect((await shop.ask(importVouchers, { body: both })).body.key).toBe('duplicate_key');
    expect((await shop.ask(importVouchers, { body: [shop.voucher('Taken')] })).body.key).toBe('duplicate_key');
  });

  test('cannot be redeemed twice by one request in two spellings', async () => {
    const shop = await newShop(false);
    await shop.create('Twice');
    expect((await shop.redeem('twice', 'TWICE')).body.key).toBe('duplicated_redeemables');
  });

  test('are generated to the full number, without two that differ in case alone', async () => {
    const shop = await newShop(false);
    const { body } = await shop.ask(createCampaign, {
      body: {
        name: 'Small',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'STATIC',
        vouchers_count: 4,
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'PERCENT', percent_off: 10 },
          code_config: { length: 3, charset: 'aAbB' },
        },
      },
    });
    expect(body.voucher.code_config.charset).toBe('ab');
    await runOutbox(shop.id);
    const codes = (await itemsOf(shop.id, 'VOUCHER')).map(({ code }) => String(code).toLowerCase());
    expect([codes.length, new Set(codes).size]).toEqual([4, 4]);
  });

  test('refuse a campaign of more codes than exist', async () => {
    const shop = await newShop(false);
    const { body } = await shop.ask(createCampaign, {
      body: {
        name: 'Too many',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'STATIC',
        vouchers_count: 5,
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'PERCENT', percent_off: 10 },
          code_config: { length: 3, charset: 'aAbB' },
        },
      },
    });
    expect(body.key).toBe('invalid_code_config');
  });
});

describe('codes of a project that tells case apart', () => {
  test('are different vouchers', async () => {
    const shop = await newShop(true);
    await shop.create('Spring');
    expect((await shop.get('SPRING')).status).toBe(404);
    expect((await shop.create('SPRING')).status).toBe(200);
    expect((await shop.redeem('Spring', 'SPRING')).status).toBe(200);
  });
});

test('a file sets whether case counts once, at its first load', async () => {
  const vouchers = [{ code: 'Abc', type: 'DISCOUNT_VOUCHER' }];
  const file = projectFile({ vouchers });
  const ignoring = { ...file, project: { ...file.project, case_sensitive_codes: false } };
  await loadFile(ignoring);
  const {
    app_keys: [key],
  } = file;
  const reply = await caller(getVoucher)({
    params: { code: 'aBC' },
    headers: { 'x-app-id': key?.app_id ?? '', 'x-app-token': key?.app_token ?? '' },
  });
  expect(reply.body.code).toBe('Abc');
  await loadFile(ignoring);
  expect(await faultsOf(file)).toEqual([expect.stringContaining('case_sensitive_codes')]);
});
