import { expect, test } from 'vitest';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { openRefusingShop } from '../support/refusing-shop.ts';
import { changedBy } from '../support/table-state.ts';

const max = Number.MAX_SAFE_INTEGER;

const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ headers: shop.credentials, ...request });

const shop = await openRefusingShop();

const order = { amount: 1_000 };
const plain = { object: 'voucher', id: 'PLAIN' };

test.each([
  ['501 lines', { redeemables: [plain], order: { items: Array.from({ length: 501 }, () => ({})) } }, 'order.items'],
  ['an amount that cannot be counted', { redeemables: [plain], order: { amount: max + 1 } }, 'order.amount'],
  [
    'a line that comes to more than can be counted',
    { redeemables: [plain], order: { items: [{ price: max, quantity: 2 }] } },
    'order.items[0]',
  ],
  [
    'lines that come to more than can be counted',
    { redeemables: [plain], order: { items: [{ amount: max }, { amount: 1 }] } },
    'items',
  ],
  ['one redeemable twice', { redeemables: [plain, plain], order }, 'redeemables[1].id'],
  [
    'a stack beside another',
    { redeemables: [plain, { object: 'promotion_stack', id: 'stack_1' }], order },
    'redeemables[1]',
  ],
  ['credits below 0', { redeemables: [{ ...plain, gift: { credits: -1 } }] }, 'redeemables[0].gift.credits'],
  ['half a point', { redeemables: [{ ...plain, reward: { points: 0.5 } }] }, 'redeemables[0].reward.points'],
])('a body with %s is refused before anything is read', async (_, body, place) => {
  const changed = await changedBy(async () => {
    for (const handler of [validateHandler, redeemHandler]) {
      const reply = await call(handler, { body });
      expect([reply.status, reply.body.details]).toEqual([400, expect.stringContaining(place)]);
      expect(reply.body).not.toHaveProperty('resource_id');
    }
  });
  expect(changed).toEqual([]);
});
