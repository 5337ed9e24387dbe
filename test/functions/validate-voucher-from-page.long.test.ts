import { describe, expect, test } from 'vitest';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { caller } from '../support/call.ts';
import { leaked, pageShop } from '../support/page-shop.ts';

type Shop = Awaited<ReturnType<typeof pageShop>>;

async function restrict({ server: headers }: Shop, code: string, rules: object): Promise<void> {
  const { body: rule } = await caller(createRule)({ headers, body: { name: 'Only so', rules } });
  const about = { related_object_type: 'voucher', related_object_id: code };
  const params = { validationRuleId: rule.id };
  expect((await caller(assign)({ headers, params, query: 'force=true', body: about })).status).toBe(200);
}

describe('a validation of one code from a web page', () => {
  test('shows the discount on an amount, and no secrets', async () => {
    const { validateVoucher } = await pageShop();
    const { status, body } = await validateVoucher('code=TEN&amount=1000&customer[source_id]=crm-1');
    expect([status, body]).toMatchObject([
      200,
      { valid: true, code: 'TEN', discount: { percent_off: 10 }, order: { amount: 1000, total_amount: 900 } },
    ]);
    expect(body.metadata).toEqual({});
    expect(JSON.stringify(body)).not.toMatch(leaked);
    for (const hidden of ['name', 'email', 'additional_info', 'holder_id', 'referrer_id', 'publish', 'summary'])
      expect(Object.keys(body)).not.toContain(hidden);
  });

  test.each([
    ['by index', 'item[0][source_id]=tea&item[0][price]=300&item[0][quantity]=2&item[1][amount]=400'],
    [
      'in any order of the numbers',
      'item[9][amount]=400&item[2][source_id]=tea&item[2][price]=300&item[2][quantity]=2',
    ],
    [
      'with brackets everywhere',
      '[item][0][source_id]=tea&[item][0][price]=300&[item][0][quantity]=2&[item][1][amount]=400',
    ],
    ['with product data', 'item[0][source_id]=tea&item[0][product][price]=300&item[0][quantity]=2&item[1][amount]=400'],
  ])('names lines %s', async (_, items) => {
    const { validateVoucher } = await pageShop();
    const { body } = await validateVoucher(`code=TEN&${items}`);
    expect(body).toMatchObject({
      valid: true,
      order: {
        amount: 1000,
        total_amount: 900,
        items: [{ source_id: 'tea', quantity: 2, amount: 600 }, { amount: 400 }],
      },
    });
  });

  test.each([
    ['order.metadata', 'currency', 'NOK', 'order_rules_violated'],
    ['redemption.metadata', 'tills', 'T1', 'redemption_rules_violated'],
    ['customer.metadata', 'club', 'yes', 'customer_rules_violated'],
  ])('may send %s, which no rule uses', async (name, property, value, key) => {
    const shop = await pageShop();
    await restrict(shop, 'TEN', { 1: { name, property, conditions: { $is: [value] } } });
    const said = 'order[metadata][currency]=NOK&metadata[tills][0]=T1&customer[metadata][club]=yes';
    const query = `code=TEN&amount=1000&${said}&customer[source_id]=crm-1`;
    expect((await shop.validateVoucher(query)).body).toMatchObject({ valid: false, error: { key } });
  });

  test('learns that a rule checks the customer', async () => {
    const shop = await pageShop();
    await restrict(shop, 'TEN', { 1: { name: 'customer.metadata', property: 'club', conditions: { $is: ['yes'] } } });
    expect((await shop.validateVoucher('code=TEN&amount=1000')).body).toMatchObject({
      valid: false,
      error: { key: 'missing_customer' },
    });
  });

  test('takes the useful part of a gift card, and names no credits', async () => {
    const { validateVoucher } = await pageShop();
    for (const [amount, credits] of [
      [300, 300],
      [900, 400],
    ])
      expect((await validateVoucher(`code=GIFT&amount=${amount}&gift[credits]=1`)).body).toMatchObject({
        gift: { credits, balance: 400 },
      });
  });

  test.each([
    ['code=NOBODYS&amount=1', { valid: false, reason: 'voucher not found', error: { key: 'not_found', code: 404 } }],
    ['code=GIFT', { valid: false, error: { key: 'missing_amount' } }],
  ])('gets 200 if the code cannot be used: %s', async (query, said) => {
    const { validateVoucher } = await pageShop();
    expect(await validateVoucher(query)).toMatchObject({ status: 200, body: said });
  });

  test.each([
    ['amount=1', 'code'],
    ['code=TEN&amount=1.5', 'amount'],
    ['code=TEN&item[]=tea', 'item'],
    ['code=TEN&item[tea][quantity]=1', 'item must be numbered'],
    ['code=TEN&item[0][quantity]=two', 'item.0.quantity'],
    ['code=TEN&session_key=cart-1', 'session_type must be LOCK'],
    ['code=TEN&session_type=LOCK&session_ttl=0', 'session_ttl must be 1 or more'],
  ])('is refused: %s', async (query, details) => {
    const { validateVoucher } = await pageShop();
    const { status, body } = await validateVoucher(query);
    expect([status, body]).toMatchObject([
      400,
      { key: 'invalid_query_params', details: expect.stringContaining(details) },
    ]);
  });

  test('locks the used part for a session', async () => {
    const { validateVoucher } = await pageShop();
    const kept = 'session_type=LOCK&session_key=cart-1&session_ttl=2&session_ttl_unit=MINUTES';
    const { body } = await validateVoucher(`code=GIFT&amount=300&${kept}`);
    expect(body.session).toEqual({ type: 'LOCK', key: 'cart-1', ttl: 2, ttl_unit: 'MINUTES' });
    expect((await validateVoucher('code=GIFT&amount=300')).body).toMatchObject({ gift: { credits: 100 } });
    expect((await validateVoucher(`code=GIFT&amount=300&${kept}`)).body).toMatchObject({ gift: { credits: 300 } });
  });
});

describe('a tracking id', () => {
  const track = async ({ validateVoucher }: Shop, query: string) =>
    (await validateVoucher(`code=TEN&amount=1000&${query}`)).body;

  test('identifies the customer, or stands for one', async () => {
    const shop = await pageShop();
    const known = (await track(shop, 'customer[source_id]=crm-1')).tracking_id;
    expect(known).toMatch(/^track_/);
    expect((await track(shop, 'tracking_id=crm-1')).tracking_id).toBe(known);
    for (const customer of ['customer=cust_1', 'customer[id]=cust_1', 'customer[source_id]=crm-1']) {
      expect((await track(shop, `tracking_id=crm-1&${customer}`)).tracking_id).toBe(known);
      expect(await track(shop, `tracking_id=${encodeURIComponent(known)}&${customer}`)).toMatchObject({ valid: true });
    }
  });

  test('of another customer is refused, and nothing is locked', async () => {
    const shop = await pageShop();
    await caller(createCustomer)({ headers: shop.server, body: { source_id: 'crm-2' } });
    for (const customer of ['customer=cust_1', 'customer[source_id]=crm-1', 'customer[source_id]=crm-new']) {
      const said = await track(shop, `tracking_id=crm-2&${customer}&session_type=LOCK&session_key=cart-1`);
      expect(said).toMatchObject({ code: 400, key: 'ambiguous_tracking_id' });
    }
    expect(await track(shop, 'customer=cust_none')).toMatchObject({ code: 404, resource_type: 'customer' });
  });
});
