import { expect, test } from 'vitest';
import { openCommerce } from '#engine/checkout/commerce/open-commerce.ts';
import { handler as discountCart } from '../../../../../functions/commerce/discount-cart.ts';
import { handler as showLoyalty } from '../../../../../functions/commerce/show-loyalty.ts';
import { caller } from '../../../../support/call.ts';
import { commerceLists } from '../../../../support/commerce-shop.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { loadProject } from '../../../../support/project.ts';

test('a server of its own gets the answers of the endpoints, and a wrong cart is refused', async () => {
  const { credentials: headers, id: projectId } = await loadProject(commerceLists);
  const { dynamodb, tableName } = testDependencies();
  const shop = openCommerce({ dynamodb, tableName, projectId });
  const body = { line_items: [{ item: { id: 'tea' }, quantity: 2 }], discounts: { codes: ['SPRING', 'NIX'] }, x: 1 };
  for (const protocol of ['ucp', 'acp'] as const) {
    const reply = await caller(discountCart)({ headers, query: `protocol=${protocol}`, body });
    expect(await shop.discounts(body, { protocol }, testTime)).toEqual(reply.body);
  }
  const reply = await caller(showLoyalty)({ headers, query: 'domain=com.example', body });
  expect(await shop.loyalty(body, { domain: 'com.example' }, testTime)).toEqual(reply.body);
  await expect(shop.discounts({ line_items: [] }, {}, testTime)).rejects.toThrow('must not be empty');
});

test('an unknown project is not found', async () => {
  const { dynamodb, tableName } = testDependencies();
  const shop = openCommerce({ dynamodb, tableName, projectId: 'proj_unknown_commerce' });
  const asking = shop.discounts({ line_items: [{ id: 'tea' }] }, {}, testTime);
  await expect(asking).rejects.toMatchObject({ key: 'not_found' });
});
