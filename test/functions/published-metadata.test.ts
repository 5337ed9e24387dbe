import { describe, expect, test } from 'vitest';
import { handler as publishFromPage } from '../../functions/client/publish-from-page.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { ownTable, testDependencies, testTime } from '../support/dependencies.ts';
import { exported, sorted } from '../support/exported.ts';
import { runOutbox } from '../support/outbox.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** Discounts read the metadata of the publication by which the customer got the code. */

const discount = {
  ...{ type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
  amount_off_formula: 'PUBLICATION_METADATA("p")',
};
const voucher = { type: 'DISCOUNT_VOUCHER', discount };
const made = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', join_once: false };

const lists = {
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  campaigns: [{ id: 'camp_1', name: 'Formula', ...made, voucher }],
  vouchers: [
    { code: 'ONE', campaign_id: 'camp_1', type: 'DISCOUNT_VOUCHER', active: true },
    { code: 'ALONE', ...voucher, active: true },
  ],
};

type Deps = ReturnType<typeof testDependencies>;

function shopOf(headers: Record<string, string>, dependencies?: Deps) {
  const call = async (handler: Parameters<typeof caller>[0], request: object) => {
    const { status, body } = await caller(handler, dependencies)({ headers, ...request });
    expect(status).toBe(200);
    return body;
  };
  const bodyOf = (code: string) => ({ redeemables: [{ object: 'voucher', id: code }], order: { amount: 5000 } });
  return {
    publish: (body: object) => call(publish, { body }),
    publishFromPage: (body: object) => call(publishFromPage, { body }),
    shown: (code: string) => call(getVoucher, { params: { code } }),
    leave: async (customerId: string) =>
      (await caller(deleteCustomer, dependencies)({ headers, params: { customerId } })).status,
    off: async (code: string) => (await call(validateRedeemables, { body: bodyOf(code) })).order.total_discount_amount,
    redeemed: async (code: string) =>
      (await call(redeemRedeemables, { body: bodyOf(code) })).order.total_discount_amount,
    qualifying: async (customer: string) => {
      const body = { scenario: 'CUSTOMER_WALLET', customer: { source_id: customer }, order: { amount: 5000 } };
      const { redeemables } = await call(qualify, { body });
      return redeemables.data.map(
        (one: { order: { total_discount_amount: number } }) => one.order.total_discount_amount,
      );
    },
  };
}

async function open() {
  const file = projectFile(lists);
  await loadFile(file);
  return { file, ...shopOf(credentialsOf(file)) };
}

describe('PUBLICATION_METADATA', () => {
  test("is the metadata of the code's publication, in validations, qualifications and redemptions", async () => {
    const { publish, off, qualifying, redeemed, shown } = await open();
    const before = await shown('ONE');
    expect(await off('ONE')).toBe(100);
    const given = await publish({ voucher: 'ONE', customer: 'ada', metadata: { p: 5 } });
    expect([await off('ONE'), await qualifying('ada')]).toEqual([500, [500]]);
    const after = await shown('ONE');
    const { holder_id, ...others } = after;
    // The voucher of a publication leaves out its rules.
    const { validation_rules_assignments: _, ...published } = after;
    expect([given.voucher, Object.keys(others)]).toEqual([published, Object.keys(before)]);
    expect([holder_id, 'holder_id' in before]).toEqual([expect.stringMatching(/^cust_/), false]);
    expect(await redeemed('ONE')).toBe(500);
    expect(await off('ONE')).toBe(500);
  });

  test.each(['publish', 'publishFromPage'] as const)(
    'is known for codes that are created for a publication: %s',
    async (way) => {
      const { [way]: give, publish, off } = await open();
      await publish({ voucher: 'ONE', customer: 'bob' });
      const { voucher: made } = await give({
        campaign: 'Formula',
        customer: { source_id: 'ada' },
        metadata: { p: 7.5 },
      });
      expect(await off(made.code)).toBe(750);
      expect(await off('ONE'), 'without metadata').toBe(100);
    },
  );

  test("is the last publication's metadata, which may be empty", async () => {
    const { file, publish, off, leave } = await open();
    for (const [customer, metadata, expected] of [
      ['ada', { p: 5 }, 500],
      ['bob', { p: 6 }, 600],
      ['zoe', undefined, 100],
    ] as const) {
      const { customer_id: id } = await publish({ voucher: 'ALONE', customer, metadata });
      expect(await off('ALONE')).toBe(expected);
      expect(await leave(id)).toBe(204);
      await runOutbox(file.project.id);
    }
  });

  test('is known for publications of a project file, which is exported unchanged', async () => {
    const { file, publish, off } = await open();
    await publish({ voucher: 'ONE', customer: 'ada', metadata: { p: 5 } });
    await publish({ voucher: 'ALONE', customer: 'ada' });
    const content = await exported(file.project.id);
    await loadFile(content);
    expect(await off('ONE')).toBe(500);
    const there = testDependencies({ tableName: await ownTable() });
    await loadFile({ ...content, app_keys: file.app_keys }, testTime, there);
    const moved = shopOf(credentialsOf(file), there);
    expect([await moved.off('ONE'), await moved.off('ALONE')]).toEqual([500, 100]);
    expect(sorted(await exported(file.project.id, there))).toEqual(sorted(content));
  });
});
