import { expect, test } from 'vitest';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemption } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackRedemptions } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';
import { changedBy } from '../support/table-state.ts';

const { credentials: headers } = await loadProject({
  vouchers: [
    ...['GIFT', 'OTHER', 'THIRD'].map((code) => ({ code, type: 'GIFT_VOUCHER', gift: { amount: 10000 } })),
    { code: 'TENTH', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
  ],
});

async function redeem(...codes: string[]) {
  const redeemables = codes.map((id) => ({ object: 'voucher', id }));
  const { body } = await caller(redeemRedeemables)({ headers, body: { redeemables, order: { amount: 7000 } } });
  return body.parent_redemption?.id ?? body.redemptions[0].id;
}

const parts = [
  { amount: 3000 },
  { amount: 0 },
  { quantity: 1 },
  { points: 10 },
  { items: [{ source_id: 'tea', quantity: 1 }] },
  { items: [] },
  { reason: 'returned', amount: '30' },
];

test('a rollback of a part of a redemption is refused in words, and changes nothing', async () => {
  const [one, several] = [await redeem('GIFT'), await redeem('TENTH', 'OTHER')];
  const changed = await changedBy(async () => {
    for (const part of parts) {
      const name = Object.keys(part).find((key) => key !== 'reason');
      for (const ask of [
        (request: object) => caller(rollBackRedemption)({ headers, params: { redemptionId: one }, ...request }),
        (request: object) => caller(rollBackRedemptions)({ headers, params: { redemptionId: several }, ...request }),
      ]) {
        const { status, body } = await ask({ body: part });
        expect([status, body.key]).toEqual([400, 'invalid_payload']);
        expect(body.details).toBe(
          `${name} must be left out, because a rollback takes back the whole redemption. A return of the order takes back a part`,
        );
      }
    }
    const byQuery = await caller(rollBackRedemption)({ headers, params: { redemptionId: one }, query: 'amount=3000' });
    expect([byQuery.status, byQuery.body.key]).toEqual([400, 'invalid_query_params']);
  });
  expect(changed).toEqual([]);
});

test('a rollback with empty fields takes the whole redemption back', async () => {
  const redemptionId = await redeem('THIRD');
  const body = { amount: null, quantity: null, reason: 'returned' };
  const { status } = await caller(rollBackRedemption)({ headers, params: { redemptionId }, body });
  const { body: card } = await caller(getVoucher)({ headers, params: { code: 'THIRD' } });
  expect([status, card.gift.balance]).toEqual([200, 10000]);
});
