import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/client/validate-promotions-from-page.ts';
import { caller } from '../support/call.ts';
import { guardedShop } from '../support/guarded-shop.ts';

async function shopWith() {
  const shop = await guardedShop();
  return { ...shop, ask: (query: string) => caller(handler)({ headers: shop.headers, query }) };
}

const idsOf = ({ promotions }: { promotions: { id: string }[] }) => promotions.map(({ id }) => id);

describe('a validation of promotions from a web page', () => {
  test('shows the applying ones, for the cart in the address', async () => {
    const { ask } = await shopWith();
    const { status, body } = await ask('item[0][product_id]=prod_mug&item[0][quantity]=2&customer=cust_ada');
    expect([status, body.valid, idsOf(body)]).toEqual([200, true, ['promo_all']]);
    expect(body.promotions[0]).toMatchObject({
      discount_amount: 2_000,
      order: { amount: 20_000, total_amount: 18_000 },
      metadata: {},
    });
  });

  test('uses the stored price, and meets no rule by metadata', async () => {
    const { ask } = await shopWith();
    const lies = 'item[0][price]=1&item[0][amount]=1&item[0][discount_amount]=9&item[0][product][metadata][mark]=gold';
    const said = 'customer[source_id]=ada&customer[metadata][mark]=gold&order[metadata][mark]=gold&metadata[mark]=gold';
    const { body } = await ask(`item[0][product_id]=prod_mug&item[0][quantity]=1&${lies}&${said}`);
    expect([idsOf(body), body.promotions[0].order.amount]).toEqual([['promo_all'], 10_000]);
  });

  test('names one person', async () => {
    const { ask } = await shopWith();
    expect((await ask('amount=100&tracking_id=ada&customer[source_id]=ada')).body.tracking_id).toMatch(/^track_/);
    expect((await ask('amount=100&tracking_id=bob&customer[source_id]=ada')).body.key).toBe('ambiguous_tracking_id');
  });

  test('starts no session: nothing is locked', async () => {
    const { ask } = await shopWith();
    const { status, body } = await ask('amount=100&session_type=LOCK&session_key=k');
    expect([status, body.session, body.valid]).toEqual([200, undefined, true]);
  });
});
