import { describe, expect, test } from 'vitest';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as deletePermanently } from '../../functions/customers/delete-customer-permanently.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { caller } from '../support/call.ts';
import { validationRule } from '../support/lists.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { cart, coupon, shop, vouchers } from '../support/redeeming.ts';

/** A limit by person counts the uses of one person, whatever the person's customers are called. */

const refused = 'redemption_rules_violated';
const open = { redemption: { quantity: null, redeemed_quantity: 0 } };
const limited = (name: string, most: number) =>
  validationRule('val_1', 'By person', { name, conditions: { $less_than_or_equal: [most] } });

async function running(name: string, most: number, related = 'camp_1') {
  const of = (code: string) => coupon(code, { campaign_id: 'camp_1', ...open });
  const opened = await shop({
    campaigns: [{ id: 'camp_1', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
    vouchers: [of('A'), of('B')],
    validation_rules: [limited(name, most)],
  });
  const { headers } = opened;
  const begin = async () => {
    const body = { related_object_type: related === 'camp_1' ? 'campaign' : 'voucher', related_object_id: related };
    const reply = await caller(assign)({ headers, params: { validationRuleId: 'val_1' }, body });
    expect(reply.status).toBe(200);
  };
  const attempt = (customer: object | undefined, code = 'A', more: object = {}) =>
    opened.redeem({ redeemables: vouchers(code), order: cart(1), ...(customer ? { customer } : {}), ...more });
  return {
    ...opened,
    begin,
    attempt,
    by: async (customer: object | undefined, code = 'A') => {
      const { status, body } = await attempt(customer, code);
      return status === 200 ? 'done' : body.key;
    },
    counters: () => itemsOf(opened.id, 'RULE_COUNTER'),
    erase: async (customerId: string) => {
      const reply = await caller(deletePermanently)({ headers, params: { customerId } });
      expect(reply.status).toBe(200);
      await runOutbox(opened.id);
    },
  };
}

async function started(name: string, most: number, related?: string) {
  const at = await running(name, most, related);
  await at.begin();
  return at;
}

const once = 'redemption.count.per_person';

describe('a limit by person', () => {
  test('of 1 lets one of 64 simultaneous callers under 20 aliases through', async () => {
    const at = await started(once, 1);
    const aliases = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? `Ada.L+${index}@Mail.Example` : ` ada.l+tag${index}@MAIL.example `,
    );
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, index) => at.by({ email: aliases[index % 20], source_id: `guest-${index % 20}` })),
    );
    expect(all.filter((one) => one === 'done')).toHaveLength(1);
    expect(all.filter((one) => one === refused)).toHaveLength(63);
    expect((await at.read('A')).redemption.redeemed_quantity).toBe(1);
  });

  test.each<[string, object, object, 'one' | 'two']>([
    ['a guest who sends the same address twice', { email: 'ada@mail.example' }, { email: 'ada@mail.example' }, 'one'],
    ['capitals', { email: 'ada@mail.example' }, { email: 'ADA@MAIL.EXAMPLE' }, 'one'],
    ['an alias', { email: 'ada@mail.example' }, { email: 'ada+x@mail.example' }, 'one'],
    ['two aliases', { email: 'ada+y@mail.example' }, { email: 'ada+x@mail.example' }, 'one'],
    ['dots of a mailbox that ignores them', { email: 'a.da@gmail.com' }, { email: 'ada@googlemail.com' }, 'one'],
    ['dots of other mailboxes', { email: 'a.da@mail.example' }, { email: 'ada@mail.example' }, 'two'],
    ['another host', { email: 'ada@mail.example' }, { email: 'ada@post.example' }, 'two'],
    ['one number in two spellings', { phone: '+49 30 123' }, { phone: '0049 (30) 123' }, 'one'],
    ['two numbers', { phone: '+49 30 123' }, { phone: '+49 30 124' }, 'two'],
    [
      'one address with two numbers and source ids',
      { source_id: 'a', email: 'ada@mail.example', phone: '1' },
      { source_id: 'b', email: 'ada@mail.example', phone: '2' },
      'one',
    ],
    ['one source id without more', { source_id: 'a' }, { source_id: 'a' }, 'one'],
    ['two source ids without more', { source_id: 'a' }, { source_id: 'b' }, 'two'],
    ['a text that is no address', { source_id: 'a', email: 'none' }, { source_id: 'b', email: 'none' }, 'two'],
  ])('sees %s', async (_, first, second, expected) => {
    const at = await started(once, 1);
    expect([await at.by(first), await at.by(second)]).toEqual(['done', expected === 'one' ? refused : 'done']);
  });

  test('refuses a guest, and a customer without an address, a number and a source id', async () => {
    const at = await started(once, 1);
    for (const customer of [undefined, { name: 'Ada' }, { name: 'Ada', email: 'none' }]) {
      const { status, body } = await at.attempt(customer);
      expect([status, body.key]).toEqual([400, 'missing_customer']);
    }
    const { body } = await at.attempt({ name: 'Ada' });
    expect(body.details).toMatch(/customer must have an e-mail address, a phone number or a source_id/);
  });

  test('counts each code by itself, or the campaign', async () => {
    const byCode = await started(once, 1);
    expect([await byCode.by({ email: 'a@b.example' }), await byCode.by({ email: 'a@b.example' }, 'B')]).toEqual([
      'done',
      'done',
    ]);
    const byCampaign = await started('campaign.redemptions.count.per_person', 1);
    expect(await byCampaign.by({ email: 'a@b.example' })).toBe('done');
    expect(await byCampaign.by({ email: 'a+1@b.example' }, 'B')).toBe(refused);
    expect(await byCampaign.by({ email: 'c@b.example' }, 'B')).toBe('done');
  });

  test.each(['daily', 'weekly', 'monthly'])('counts by %s period', async (period) => {
    const at = await started(`${once}.${period}`, 1);
    expect([await at.by({ email: 'a@b.example' }), await at.by({ email: 'a+1@b.example' })]).toEqual(['done', refused]);
  });

  test('counts redemptions from before the rule, under all names of the person', async () => {
    const at = await running(once, 3);
    for (const email of ['a@b.example', 'A@b.example', 'c@b.example']) expect(await at.by({ email })).toBe('done');
    await at.begin();
    expect(await at.by({ email: 'a+9@b.example' })).toBe('done');
    expect(await at.by({ email: 'a+8@b.example' })).toBe(refused);
    expect(await at.by({ email: 'c@b.example' })).toBe('done');
  });

  test('gets a use back by a rollback', async () => {
    const at = await started(once, 1);
    const { body } = await at.attempt({ email: 'a@b.example' });
    const params = { redemptionId: body.redemptions[0].id };
    expect((await caller(rollBack)({ headers: at.headers, params })).status).toBe(200);
    expect([await at.by({ email: 'a+1@b.example' }), await at.by({ email: 'a@b.example' })]).toEqual(['done', refused]);
  });

  test('is held by a session for the person, under any name', async () => {
    const at = await started(once, 1);
    const session = { type: 'LOCK', key: 'cart-1' };
    const body = { redeemables: vouchers('A'), order: cart(1), customer: { email: 'a@b.example' }, session };
    expect((await at.validate(body)).body.valid).toBe(true);
    expect(await at.by({ email: 'a+1@b.example' })).toBe(refused);
    expect(await at.by({ email: 'c@b.example' })).toBe('done');
    expect(
      (await at.attempt({ email: 'a+2@b.example' }, 'A', { session: { type: 'LOCK', key: 'cart-1' } })).status,
    ).toBe(200);
  });

  test('a counter that only a session has made expires', async () => {
    const at = await started(once, 1);
    const body = {
      redeemables: vouchers('A'),
      customer: { email: 'a@b.example' },
      session: { type: 'LOCK', key: 'c' },
    };
    expect((await at.validate(body)).body.valid).toBe(true);
    expect(await at.counters()).toMatchObject([{ expiresAt: expect.any(Number) }]);
    expect((await at.attempt({ email: 'a@b.example' }, 'A', { session: { type: 'LOCK', key: 'c' } })).status).toBe(200);
    expect((await at.counters()).map(({ count, expiresAt }) => [count, expiresAt])).toEqual([[1, undefined]]);
  });
});

describe('the hash of a person', () => {
  test('has nothing of the address, and differs in another project', async () => {
    const keys = [];
    for (const _ of [1, 2]) {
      const at = await started(once, 1);
      await at.by({ email: 'ada@mail.example' });
      const [counter] = await at.counters();
      expect(JSON.stringify(counter)).not.toMatch(/ada@|mail\.example/i);
      keys.push(String(counter?.pk).split('#').at(-1));
    }
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('is erased with the person, also after a rollback, and uses of the other customers of the person stay', async () => {
    const at = await started(once, 2);
    const customers = [];
    for (const email of ['a@b.example', 'a+1@b.example']) {
      const { body } = await caller(createCustomer)({ headers: at.headers, body: { email } });
      customers.push(body.id);
      expect(await at.by({ id: body.id })).toBe('done');
    }
    const rolledBack = (await at.attempt({ email: 'r@b.example' })).body;
    await caller(rollBack)({ headers: at.headers, params: { redemptionId: rolledBack.redemptions[0].id } });
    expect(await at.counters()).toHaveLength(2);
    await at.erase(rolledBack.redemptions[0].customer_id);
    expect((await at.counters()).map(({ count }) => count)).toEqual([2]);
    await at.erase(customers[0]);
    expect((await at.counters()).map(({ count }) => count)).toEqual([1]);
    const before = (await at.counters()).map(({ pk }) => String(pk).split('#').at(-1) ?? '');
    await at.erase(customers[1]);
    expect(await at.counters()).toEqual([]);
    const left = JSON.stringify(await itemsOf(at.id, ''));
    expect(before.filter((hash) => left.includes(hash))).toEqual([]);
    expect((await at.read('A')).redemption.redeemed_quantity).toBe(2);
  });
});

describe('a referral code', () => {
  const referring = () =>
    shop({
      customers: [{ id: 'cust_ada', source_id: 'ada', email: 'ada@mail.example' }],
      campaigns: [{ id: 'camp_1', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC' }],
      vouchers: [coupon('OF-ADA', { campaign_id: 'camp_1', holder_id: 'cust_ada', is_referral_code: true, ...open })],
    });

  test.each([
    [{ source_id: 'second', email: 'Ada+2@mail.example' }, 'referrer_not_permitted_to_redeem'],
    [{ email: 'ada@mail.example' }, 'referrer_not_permitted_to_redeem'],
    [{ source_id: 'ada' }, 'referrer_not_permitted_to_redeem'],
    [{ source_id: 'second' }, 'done'],
    [{ email: 'bo@mail.example' }, 'done'],
    [undefined, 'done'],
  ])('of a holder is redeemed by %j with the outcome %s', async (customer, expected) => {
    const at = await referring();
    const more = customer ? { customer } : {};
    const asked = { redeemables: vouchers('OF-ADA'), order: cart(1), ...more };
    const { body } = await at.validate(asked);
    expect(body.redeemables[0].result.error?.key ?? 'done').toBe(expected);
    const reply = await at.redeem(asked);
    expect(reply.status === 200 ? 'done' : reply.body.key).toBe(expected);
  });
});
