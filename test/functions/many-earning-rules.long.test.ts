import { describe, expect, test } from 'vitest';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as deleteRule } from '../../functions/loyalties/delete-earning-rule.ts';
import { handler as switchOff } from '../../functions/loyalties/disable-earning-rule.ts';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteValidationRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as updateValidationRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { earningRule } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadFile, loadProject } from '../support/project.ts';

/** A programme in which many rules check each order, and few of them fit. */

const least = (amount: number) => ({
  1: { name: 'order.amount', conditions: { $more_than: [amount] } },
  logic: '1',
});

/** Makes orders. Each order of 1,000 fits the first rule alone. */
function shopOf(rules: number) {
  const all = Array.from({ length: rules }, (_, index) => index);
  return {
    customers: [{ id: 'cust_ada' }, { id: 'cust_guest' }],
    campaigns: [programme('camp_club')],
    vouchers: [card('CARD', 0, { holder_id: 'cust_ada' })],
    validation_rules: all.map((index) => ({
      id: `val_${index}`,
      name: `Orders ${index}`,
      rules: least(index === 0 ? 500 : 1_000_000 + index),
    })),
    earning_rules: all.map((index) =>
      earningRule(`ern_${index}`, 'order.paid', { type: 'FIXED', points: 7 }, { validation_rule_id: `val_${index}` }),
    ),
  };
}

type Handler = Parameters<typeof caller>[0];

async function shopWith(rules: number) {
  const dependencies = testDependencies();
  const project = await loadProject(shopOf(rules));
  /** Makes one container per endpoint, for the whole test. */
  const containers = new Map<Handler, ReturnType<typeof caller>>();
  const ask = async (handler: Handler, request: object) => {
    const call = containers.get(handler) ?? caller(handler, dependencies);
    containers.set(handler, call);
    const reply = await call({ headers: project.credentials, ...request });
    expect([reply.status, reply.body]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()]);
    return reply;
  };
  const points = async () => (await ask(getVoucher, { params: { code: 'CARD' } })).body.loyalty_card.points as number;
  const units = () => JSON.parse(dependencies.lines.at(-1) ?? '').read_units as number;
  const pay = async (customer?: object) => {
    await ask(createOrder, { body: { status: 'PAID', amount: 1_000, ...(customer ? { customer } : {}) } });
    return units();
  };
  /** Returns the cost of an order in a container that has served some. */
  const cost = async (customer?: object) => {
    for (let turn = 0; turn < 3; turn++) await pay(customer);
    return pay(customer);
  };
  const earned = async () => {
    const before = await points();
    await pay({ id: 'cust_ada' });
    return (await points()) - before;
  };
  return { project, ask, points, cost, earned };
}

const member = { id: 'cust_ada' };
const guest = { id: 'cust_guest' };

test('a paid order with 95 rules of which one fits costs at most 3 read units more than with one, and earns by that rule', async () => {
  const [few, many] = [await shopWith(1), await shopWith(95)];
  const [ofFew, ofMany] = [await few.cost(member), await many.cost(member)];
  expect(ofMany - ofFew).toBeLessThanOrEqual(3);
  expect([await few.points(), await many.points()]).toEqual([28, 28]);
});

test("guests pay nothing for a programme's rules, in any number", async () => {
  const [few, many] = [await shopWith(1), await shopWith(95)];
  expect(await many.cost(guest)).toBe(await few.cost(guest));
  expect(await many.cost()).toBe(await (await shopWith(0)).cost());
});

const path = { campaignId: 'camp_club', earningRuleId: 'ern_0' };
type Shop = Awaited<ReturnType<typeof shopWith>>;

const changes: readonly [string, (shop: Shop) => Promise<unknown>, earned: number][] = [
  ['a disabled rule', ({ ask }) => ask(switchOff, { params: path }), 0],
  ['a deleted rule', ({ ask }) => ask(deleteRule, { params: path }), 0],
  [
    'a rule that gives other points',
    ({ ask }) => ask(updateRule, { params: path, body: { loyalty: { type: 'FIXED', points: 9 } } }),
    9,
  ],
  [
    'a new rule',
    ({ ask }) =>
      ask(createRules, {
        params: { campaignId: 'camp_club' },
        body: [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 100 } }],
      }),
    107,
  ],
  [
    'a new tier in which the rule gives more',
    ({ ask }) =>
      ask(createTiers, {
        params: { campaignId: 'camp_club' },
        body: [{ name: 'All', points: { from: 0 }, earning_rules: { ern_0: { type: 'MULTIPLY', multiplier: 3 } } }],
      }),
    21,
  ],
  [
    'a stricter validation rule',
    ({ ask }) => ask(updateValidationRule, { params: { validationRuleId: 'val_0' }, body: { rules: least(5_000) } }),
    0,
  ],
  ['a deleted validation rule', ({ ask }) => ask(deleteValidationRule, { params: { validationRuleId: 'val_0' } }), 0],
  [
    'another validation rule on the earning rule',
    ({ ask }) =>
      ask(assign, {
        params: { validationRuleId: 'val_1' },
        query: 'force=true',
        body: { related_object_type: 'earning_rule', related_object_id: 'ern_0' },
      }),
    0,
  ],
  [
    'a project file that gives a rule other points',
    ({ project }) => {
      const { validation_rules, campaigns, earning_rules } = shopOf(1);
      const rules = earning_rules.map((rule) => ({ ...rule, loyalty: { type: 'FIXED', points: 11 } }));
      return loadFile({ project: project.file.project, validation_rules, campaigns, earning_rules: rules });
    },
    11,
  ],
];

describe("a container that caches a programme's rules", () => {
  test.each(changes)('applies %s to the next order', async (_, change, earned) => {
    const shop = await shopWith(2);
    expect([await shop.earned(), await shop.earned(), await shop.earned()]).toEqual([7, 7, 7]);
    await change(shop);
    expect(await shop.earned()).toBe(earned);
  });
});
