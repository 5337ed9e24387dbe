import { expect } from 'vitest';
import { handler as createHandler } from '../../functions/orders/create-order.ts';
import { handler as getHandler } from '../../functions/orders/get-order.ts';
import { handler as listHandler } from '../../functions/orders/list-orders.ts';
import { handler as updateHandler } from '../../functions/orders/update-order.ts';
import { caller, type Reply } from './call.ts';
import { club } from './club.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { earningRule } from './lists.ts';
import { openShop } from './shop.ts';

const catalogue = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  skus: [{ id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', sku: 'Tin', price: 700 }],
};

/** Makes an earning rule of the club for paid orders. */
export const forOrders = (id: string, loyalty: object, more = {}) => earningRule(id, 'order.paid', loyalty, more);

export const byTotal = {
  type: 'PROPORTIONAL',
  calculation_type: 'ORDER_TOTAL_AMOUNT',
  order: { total_amount: { every: 100, points: 1 } },
};

/** Opens the club with products and a rule for orders. */
export async function openStore(earning_rules: object[] = [forOrders('ern_paid', byTotal)], lists: object = {}) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const shop = await openShop(dependencies, {
    ...club,
    ...catalogue,
    ...lists,
    earning_rules: [...club.earning_rules, ...earning_rules],
  });
  const headers = shop.project.credentials;
  const create = caller(createHandler, dependencies);
  const update = caller(updateHandler, dependencies);
  const get = caller(getHandler, dependencies);
  const list = caller(listHandler, dependencies);
  return {
    ...shop,
    clock,
    create: (body: unknown) => create({ headers, body }),
    update: (orderId: string, body: unknown) => update({ headers, params: { orderId }, body }),
    get: (orderId: string) => get({ headers, params: { orderId } }),
    list: (query = '') => list({ headers, query }),
  };
}

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Returns the order of a successful reply. */
export const done = ({ status, body }: Reply) => {
  expect(body).toMatchObject({ object: 'order' });
  expect(status).toBe(200);
  return body;
};

/** Returns the sorted types of a customer's activities about orders. */
export const orderTypes = ({ data }: { data: { type: string }[] }) =>
  data
    .map(({ type }) => type)
    .filter((type) => type.includes('.order.'))
    .sort();
