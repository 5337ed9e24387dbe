import { describe, expect, test } from 'vitest';
import { readFacts } from '#engine/customers/read-facts.ts';
import { lockedItem } from '#engine/holds/locks.ts';
import { makeSession } from '#engine/holds/session.ts';
import { hold } from '#engine/holds/standing/hold.ts';
import { compileRule } from '#engine/rules/compile.ts';
import type { CountedSubject } from '#engine/rules/counter.ts';
import { changeColdCounts, countSeen, holdSharedCounts, listMovedCounters, lockCounts } from '#engine/rules/counts.ts';
import { mergeNeeds } from '#engine/rules/needs.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { noSchemas } from '#kernel/core/metadata/check.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { testTime as now, uniqueId } from '../../../support/dependencies.ts';
import { tableOfFile } from '../../../support/listed.ts';

const sales = kind('SALE', lockedItem);
const ofVoucher: CountedSubject = {
  redeemable: { object: 'voucher', id: 'v_1' },
  campaign_id: 'camp_1',
  customer: 'cust_1',
  api_key: 'app_1',
};

function needing(...names: string[]) {
  return mergeNeeds(
    names.map((name) => compileRule({ rules: { '1': { name, conditions: { $less_than: [9] } } } }).needs),
  );
}

function shop(names: string[], { isShared = false, counted = ofVoucher } = {}) {
  const project = { id: uniqueId('proj_'), schemas: noSchemas } as Project;
  const context = { project, table: tableOfFile(), now };
  const needs = needing(...names);
  const redeemed = { now, order: { amount: 700, items: [] } };
  const moved = listMovedCounters(project.id, { counted, needs: [needs], context: redeemed, isShared }, now);
  const facts = (session?: string) =>
    readFacts(context, needs, { customer: undefined, counted: [counted], ...(session ? { session } : {}) });
  const counts = async (session?: string) => (await facts(session)).counts[0];
  return { project, context, moved, facts, counts };
}

const campaign = 'campaign.redemptions.count';
const own = 'redemption.count.daily';
const perCustomer = 'redemption.count.per_customer';

describe('counters that a redemption moves', () => {
  test('are those that a rule names, if their customer or subject is known', () => {
    expect(shop([]).moved).toEqual([]);
    expect(shop([own, 'order.amount']).moved).toMatchObject([{ name: own, by: 1 }]);
    expect(shop(['campaign.orders.amount']).moved).toMatchObject([{ by: 700 }]);
    expect(shop([campaign, perCustomer], { counted: { redeemable: ofVoucher.redeemable } }).moved).toEqual([]);
  });

  test.each([
    [campaign, false, true],
    [campaign, true, true],
    ['campaign.redemptions.customers_count', true, false],
    [own, false, false],
    [own, true, true],
    [perCustomer, true, false],
    ['redemption.count.per_api_key', true, true],
    ['redemption.count.per_api_key', false, false],
  ])('are shared if many callers redeem together: %s, in redemptions of %s: %s', (name, isShared, expected) => {
    expect(shop([name], { isShared }).moved.map((one) => one.isShared)).toEqual([expected]);
  });

  test('move once for several redeemables of a request, by all of them', async () => {
    const { moved, context, facts, counts } = shop([perCustomer]);
    expect(await commit(context.table, changeColdCounts([...moved, ...moved], (await facts()).counters, { now }))).toBe(
      true,
    );
    expect(await counts()).toEqual({ [perCustomer]: 2 });
    expect(holdSharedCounts([...moved, ...moved], new Map(), { now })).toEqual([]);
  });
});

describe('a counter of few', () => {
  test('moves only from the checked value: twenty callers at once reach a limit of five, and not more', async () => {
    const { moved, context, facts, counts } = shop([perCustomer]);
    const redeem = () =>
      retryOptimistically(context.table, async () => {
        const { counts, counters } = await facts();
        if ((counts[0]?.[perCustomer] ?? 0) >= 5) return false;
        return (await commit(context.table, changeColdCounts(moved, counters, { now }))) || again;
      });
    const outcomes = await Promise.all(Array.from({ length: 20 }, redeem));
    expect(outcomes.filter(Boolean)).toHaveLength(5);
    expect(await counts()).toEqual({ [perCustomer]: 5 });
  });
});

describe('a counter of many', () => {
  test('is held, and shows its value without the redemption that holds it', async () => {
    const { moved, context, counts } = shop([campaign, own], { isShared: true });
    const seen: number[] = [];
    for (const id of ['r_1', 'r_2']) {
      for (const held of holdSharedCounts(moved, new Map(), { now })) {
        const outcome = await hold(context, sales, held, id);
        seen.push(countSeen(outcome.item, { now, endedAround: 0 }) - (held.by.count ?? 0));
      }
    }
    expect(seen).toEqual([0, 0, 1, 1]);
    expect(await counts()).toEqual({ [campaign]: 2, [own]: 2 });
  });
});

describe('a session', () => {
  const session = makeSession({ key: 'till-1' }, now);

  test.each([perCustomer, campaign])('keeps its future count of %s for itself', async (name) => {
    const { moved, context, facts, counts } = shop([name]);
    const lock = async () => commit(context.table, lockCounts(moved, (await facts()).counters, session, now));
    expect(await lock()).toBe(true);
    expect(await lock()).toBe(true);
    expect([await counts(), await counts('till-1')]).toEqual([{ [name]: 1 }, { [name]: 0 }]);
    const { counters } = await facts('till-1');
    const at = { now, sessionKey: 'till-1' };
    for (const held of holdSharedCounts(moved, counters, at)) await hold(context, sales, held, 'r_1');
    const cold = changeColdCounts(moved, counters, at);
    if (cold.length > 0) expect(await commit(context.table, cold)).toBe(true);
    expect([await counts(), await counts('till-1')]).toEqual([{ [name]: 1 }, { [name]: 1 }]);
  });
});
