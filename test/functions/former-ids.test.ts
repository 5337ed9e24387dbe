import { expect, test } from 'vitest';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-campaign-member-balance.ts';
import { handler as memberHandler } from '../../functions/loyalties/get-member.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as deleteHandler } from '../../functions/vouchers/delete-voucher.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { club } from '../support/club.ts';
import { exported } from '../support/exported.ts';
import { loadFile, loadProject } from '../support/project.ts';

/** Ids of another service are longer than ours. */
const cardsOldId = 'v_EsNx1vJHuw4LZJVn4KYXgjmMRYjTjyq1';
/** Another Tessera gives ids of our own form. */
const couponsOldId = `v_${'x'.repeat(22)}`;

async function start() {
  const [card] = club.vouchers;
  const coupon = { code: 'TENTH', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
  const vouchers = [
    { ...card, former_id: cardsOldId },
    { ...coupon, former_id: couponsOldId },
  ];
  const project = await loadProject({ ...club, vouchers });
  const headers = project.credentials;
  const get = caller(getHandler);
  return {
    project,
    headers,
    card: card?.code ?? '',
    campaignId: card?.campaign_id ?? '',
    voucher: (code: string) => get({ headers, params: { code } }),
  };
}

test('a voucher is found by the id that it had at another service, and shows its new one', async () => {
  const { voucher, card } = await start();
  const [byOldId, byCode] = [await voucher(cardsOldId), await voucher(card)];
  expect([byOldId.status, byOldId.body]).toEqual([200, byCode.body]);
  expect(byOldId.body.id).not.toBe(cardsOldId);
  expect((await voucher(couponsOldId)).body.code).toBe('TENTH');
  expect((await voucher(`${couponsOldId}x`)).status).toBe(404);
});

test('members and carts take the old id', async () => {
  const { headers, card, campaignId } = await start();
  const member = await caller(memberHandler)({ headers, params: { memberId: cardsOldId } });
  expect([member.status, member.body.code]).toEqual([200, card]);
  const params = { campaignId, memberId: cardsOldId };
  const adjusted = await caller(adjustHandler)({ headers, params, body: { points: 5, source_id: 'five' } });
  expect(adjusted.status).toBe(200);
  const body = { redeemables: [{ object: 'voucher', id: couponsOldId }], order: { amount: 1_000 } };
  const validated = await caller(validateHandler)({ headers, body });
  expect([validated.body.valid, validated.body.order.total_discount_amount]).toEqual([true, 100]);
});

test('an export keeps the old id, and a deleted voucher has none', async () => {
  const { project, headers, voucher } = await start();
  const copy = await exported(project.id);
  expect(copy.vouchers.map(({ former_id }: { former_id: string }) => former_id).sort()).toEqual(
    [cardsOldId, couponsOldId].sort(),
  );
  await loadFile(copy);
  const deleted = await caller(deleteHandler)({ headers, params: { code: couponsOldId }, query: 'force=true' });
  expect(deleted.status).toBe(204);
  expect((await voucher(couponsOldId)).status).toBe(404);
});
