import { expect } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller, lambdaContext } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { openShop } from './shop.ts';

/** Thirty gift cards for one order. One transaction cannot contain all their records. */

const numbers = Array.from({ length: 30 }, (_, index) => index);
const lists = {
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  stacking_rules: [{ applicable_redeemables_limit: 30, applicable_redeemables_per_category_limit: null }],
  vouchers: numbers.map((index) => ({ code: `GIFT-${index}`, type: 'GIFT_VOUCHER', gift: { amount: 100 } })),
};

export async function openThirty() {
  const shop = await openShop(undefined, lists);
  const { credentials: headers } = shop.project;
  const body = {
    redeemables: numbers.map((index) => ({ object: 'voucher', id: `GIFT-${index}`, gift: { credits: 40 } })),
    customer: { source_id: 'ada' },
    order: { amount: 100_000 },
  };
  const slow = lambdaContext(60_000);
  const patient = testDependencies({ patienceInMs: 45_000 });
  return {
    projectId: shop.project.id,
    redeem: (dependencies: Dependencies = patient) => caller(redeem, dependencies, slow)({ headers, body }),
    rollBack: (redemptionId: string, dependencies: Dependencies = patient) =>
      caller(rollBackAll, dependencies, slow)({ headers, params: { redemptionId } }),
    parents: async () => {
      const { body: page } = await caller(listRedemptions)({ headers, query: 'limit=100' });
      return page.redemptions.filter(
        (one: { object: string; related_object_type: string }) =>
          one.object === 'redemption' && one.related_object_type === 'redemption',
      );
    },
    /** Checks how often each card was redeemed and rolled back, in every place that reports it. */
    expectAll: async (redeemed: number, rolledBack: number) => {
      const left = redeemed - rolledBack;
      const cards = await Promise.all(numbers.map((index) => shop.voucher(`GIFT-${index}`)));
      expect(cards.map(({ gift, redemption }) => [gift.balance, redemption.redeemed_quantity])).toEqual(
        numbers.map(() => [100 - 40 * left, left]),
      );
      const ledgers = await Promise.all(numbers.map((index) => shop.ledger(`GIFT-${index}`)));
      expect(ledgers.map((rows) => rows.length)).toEqual(numbers.map(() => redeemed + rolledBack));
      const records: { object: string; result: string; status: string }[] = [];
      for (let page = 1; page <= 3; page++) {
        const { body: found } = await caller(listRedemptions)({ headers, query: `limit=100&page=${page}` });
        records.push(...found.redemptions);
      }
      const of = (object: string) => records.filter((one) => one.object === object && one.result === 'SUCCESS');
      expect(of('redemption')).toHaveLength(31 * redeemed);
      expect(of('redemption_rollback')).toHaveLength(31 * rolledBack);
      const statuses = of('redemption').filter(({ status }) => status === 'ROLLED_BACK');
      expect(statuses).toHaveLength(31 * rolledBack);
      const { data } = await shop.activities('ada');
      if (data.length === 100)
        data.push(...(await shop.activities('ada', `limit=100&starting_after_id=${data.at(-1).id}`)).data);
      const told = data.filter(({ type }: { type: string }) => type === 'customer.redemption.succeeded');
      expect(told).toHaveLength(30 * redeemed);
      expect((await shop.customer('ada')).summary.redemptions).toMatchObject({
        total_succeeded: 30 * redeemed,
        total_rolled_back: 30 * rolledBack,
      });
    },
  };
}
