import { expect, test } from 'vitest';
import { DiscountVouchersTypesEnum } from './case.ts';
import { servedDemo } from './served-demo.ts';

const { client } = servedDemo();
const discount = { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 5 } as const;

/** Suites of existing clients in several languages compare which fields a bare thing has, and which it lacks. */

const asset = { id: expect.stringMatching(/\S/), url: expect.stringMatching(/^http/) };

test('a voucher has its pictures, also in a list', async () => {
  const created = await client().vouchers.create({ code: 'SDK-BARE', type: 'DISCOUNT_VOUCHER', discount });
  const { vouchers } = await client().vouchers.list({ limit: 1 });
  for (const one of [created, await client().vouchers.get('SDK-BARE'), vouchers[0]]) {
    expect(one).toMatchObject({ code: 'SDK-BARE', assets: { qr: asset, barcode: asset }, metadata: {} });
  }
});

test('a campaign has no metadata until it is set', async () => {
  const voucher = { type: 'DISCOUNT_VOUCHER', discount } as const;
  const body = { name: 'SDK bare', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher } as const;
  const created = await client().campaigns.create(body);
  for (const one of [
    created,
    await client().campaigns.get(created.id),
    (await client().campaigns.list()).campaigns[0],
  ]) {
    expect(one).toMatchObject({ name: 'SDK bare' });
    expect(one).not.toHaveProperty('metadata');
  }
  await client().campaigns.update(created.id, { type: 'AUTO_UPDATE', metadata: { season: 'winter' } });
  expect((await client().campaigns.get(created.id)).metadata).toEqual({ season: 'winter' });
});

test('a product shows SKUs once it has some', async () => {
  const { id } = await client().products.create({ name: 'Bare' });
  for (const one of [await client().products.get(id), (await client().products.list({ limit: 1 })).products[0]]) {
    expect(one).toMatchObject({ id, metadata: {}, attributes: [] });
    expect(one).not.toHaveProperty('skus');
  }
  expect(await client().products.listSkus(id)).toMatchObject({ object: 'list', data_ref: 'skus', skus: [], total: 0 });
  const sku = await client().products.createSku(id, { sku: 'Large' });
  const some = { object: 'list', data_ref: 'data', data: [{ id: sku.id }], total: 1 };
  expect(await client().products.get(id)).toMatchObject({ skus: some });
});
