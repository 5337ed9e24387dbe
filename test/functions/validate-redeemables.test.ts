import { expect, test } from 'vitest';
import { handler } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const call = caller(handler);

const coupon = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
  ...more,
});

test('a coupon is applied to an order', async () => {
  const { credentials: headers } = await loadProject({
    vouchers: [coupon('TEN')],
    products: [{ id: 'prod_1', source_id: 'tea', name: 'Tea', price: 500 }],
  });
  const reply = await call({
    headers,
    body: {
      redeemables: [{ object: 'voucher', id: 'TEN' }],
      order: {
        items: [
          { source_id: 'tea', quantity: 3 },
          { quantity: 1, amount: 250 },
        ],
      },
    },
  });
  expect(reply.status).toBe(200);
});
