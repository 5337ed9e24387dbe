import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { standBefore } from '../../../support/before-source.ts';
import { type Apart, compareSides } from '../../../support/both-sides.ts';
import { demoKey, newKeyOf, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { operate } from '../../../support/operator.ts';

/** A project with every kind of thing, redeemed and rolled back, is equal after its migration, or the report says what differs. */

const folders: string[] = [];
afterAll(async () => {
  killLaunched();
  await removeAll(folders);
});

const headersOf = ({ appId, appToken }: { appId: string; appToken: string }) => ({
  'x-app-id': appId,
  'x-app-token': appToken,
  'content-type': 'application/json',
});

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into by name.
type Reply = any;

/** Makes requests as tills and shops do. */
function shopAt(url: string) {
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; reply: Reply }> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: headersOf(demoKey),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, reply: text === '' ? undefined : JSON.parse(text) };
  };
  const post = async (path: string, body: object, status = 200): Promise<Reply> => {
    const done = await send('POST', path, body);
    expect([path, done.status, done.status === status ? '' : done.reply]).toEqual([path, status, '']);
    return done.reply;
  };
  const items = [
    { source_id: 'beans', related_object: 'product', quantity: 2, price: 8_900 },
    { product_id: 'unknown', quantity: 1, price: 2_200 },
  ];
  const redeem = (customer: string, ...redeemables: object[]) =>
    post('redemptions', {
      redeemables,
      customer: { id: customer },
      order: { items, metadata: {} },
      metadata: {},
      tracking_id: `till-${customer}`,
    });
  return { post, redeem, send, items };
}

const voucher = (id: string, more: object = {}) => ({ object: 'voucher', id, ...more });
const tier = (id: string) => ({ object: 'promotion_tier', id });

async function trade(url: string): Promise<void> {
  const { post, redeem, send, items } = shopAt(url);
  const rollBack = (id: string) => post(`redemptions/${id}/rollback?reason=wrong`, {});
  const gift = (code: string, credits: number) => voucher(code, { gift: { credits } });

  await post('customers', { source_id: 'late', name: 'Late Comer', email: 'late@post.example', metadata: {} });
  await post('publications', {
    customer: { source_id: 'late' },
    campaign: { name: 'Gift tins' },
    source_id: 'first-tin',
  });
  await post('publications', {
    customer: { id: 'cust_oluf' },
    voucher: 'TIN-LANTERN',
    source_id: 'lantern',
    channel: 'counter',
  });
  await post('referrals/members/MATE-INGRID/holders', { holders: [{ id: 'cust_moved' }], metadata: { at: 'fair' } });

  const percent = {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 10 },
    redemption: { quantity: 50 },
  };
  const fair = await post('campaigns', {
    name: 'Fair',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    voucher: percent,
  });
  const once = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } };
  const rule = await post('validation-rules', { name: 'Once a customer', rules: { 1: once, logic: '1' } });
  await post(`validation-rules/${rule.id}/assignments`, { campaign: fair.id });
  await post('campaigns/Fair/vouchers/FAIR-1', {});
  await post('vouchers/SHARED', percent);

  const [kept] = (await redeem('cust_oluf', gift('TIN-LANTERN', 500))).redemptions;
  const [taken] = (await redeem('cust_oluf', gift('TIN-LANTERN', 700))).redemptions;
  await rollBack(taken.id);
  await redeem('cust_sian', voucher('FAIR-1'));
  const [opened] = (await redeem('cust_oluf', voucher('SHARED'))).redemptions;
  await rollBack(opened.id);
  await redeem('cust_ingrid', voucher('SPILT-MY-CUP'), gift('TIN-WINDOW', 300));
  const { parent_redemption: parent } = await redeem('cust_ingrid', voucher('FAIR-1'), gift('TIN-WINDOW', 200));
  await post(`redemptions/${parent.id}/rollbacks`, {});
  await redeem('cust_ingrid', tier('promo_two_bags'));
  const [tiered] = (await redeem('cust_sian', tier('promo_two_bags'))).redemptions;
  await rollBack(tiered.id);
  await post('loyalties/members/CREW-INGRID/redemption', { reward: { id: 'rew_tin' } });
  const coins = { order: { items, customer: { id: 'cust_oluf' } }, reward: { id: 'rew_coins', points: 20 } };
  const paid = await post('loyalties/members/CREW-OLUF/redemption', coins);
  await rollBack(paid.id);
  expect((await send('POST', 'vouchers/TIDE-ASLEEP/redemption', { customer: { id: 'cust_sian' } })).status).toBe(400);
  expect((await send('POST', `redemptions/${taken.id}/rollback`, {})).status).toBe(400);
  expect(kept.result).toBe('SUCCESS');

  const event = { event: 'subscription_started', customer: { source_id: 'late' }, referral: { code: 'MATE-INGRID' } };
  await post('events', event);
  await post('loyalties/members/CREW-INGRID/balance', { points: 70, source_id: 'gift' });
  await post('vouchers/TIN-WINDOW/balance', { amount: 900, source_id: 'more' });
  await post('orders', { source_id: 'ord-late', customer: { source_id: 'late' }, items, status: 'PAID', metadata: {} });
  await post('vouchers/OWN-RULE', {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 5 },
    active: false,
  });
}

/** Returns once the members of the static segment have entered it, which a worker does after the copy. */
async function untilEntered(url: string, headers: Record<string, string>): Promise<void> {
  for (const id of ['cust_ingrid', 'cust_oluf']) {
    for (let entered = false; !entered; ) {
      const { data } = (await (await fetch(`${url}/v1/customers/${id}/segments`, { headers })).json()) as Reply;
      entered = data.some((segment: Reply) => segment.id === 'seg_first_row');
    }
  }
}

/** Each difference, and the words by which the report names it. */
const named: readonly (readonly [place: RegExp, words: string])[] = [
  [/(^|\/)activities: (missing|added)/, 'activities of customers'],
  [/(transactions|members\/\*\/activity): missing/, 'Ledgers of cards'],
  [
    /^(metadata-schemas|templates\/campaigns|trash-bin): missing/,
    'Metadata schemas, webhooks, users, campaign templates and the bin',
  ],
  [/^orders(\/\*)?: refunded_amount$| (returned_quantity|returned_amount)$/, 'Returns of orders'],
  [/^campaigns\/\*\/summary: /, 'Summaries of campaigns'],
  [/ access_settings_assignments$/, 'Settings of the project (currency, time zone, features)'],
  [/loyalty_tier$|^loyalties\/members\/\*\/tiers: (missing|added)/, 'Tiers of members'],
  [/redeemables: (id|created_at|order)$/, 'Dates of holdings'],
  [/ assets (qr|barcode) (id|url)$/, 'addresses of codes as pictures'],
];

const nameOf = ({ place }: Apart) => named.find(([pattern]) => pattern.test(place))?.[1];

test('a project with every kind of thing, redeemed and rolled back, is equal or named field by field', {
  timeout: 300_000,
}, async () => {
  const { address: url, engine } = await serve({});
  await trade(url);
  const folder = await mkdtemp(join(tmpdir(), 'tessera-migration-'));
  folders.push(folder);
  const env = { DYNAMODB_ENDPOINT: engine, TABLE_NAME: 'tessera', SOURCE_APP_TOKEN: demoKey.appToken };
  const own = [
    '--from',
    url,
    '--app-id',
    demoKey.appId,
    '--project',
    'proj_whole',
    '--folder',
    folder,
    '--calls',
    '6000',
  ];
  const { code, stdout, stderr } = await operate('migrate', own, { env });
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/wrote [\d,]+ items/);
  const key = await newKeyOf('proj_whole', env);
  await untilEntered(url, headersOf(key));
  const { compared, found } = await compareSides(
    { url, headers: headersOf(demoKey) },
    { url, headers: headersOf(key) },
  );
  expect(compared).toBeGreaterThan(200);
  const unnamed = found.filter((one) => !stdout.includes(nameOf(one) ?? '(not named)'));
  expect(unnamed).toEqual([]);
  const unused = named.filter(([pattern]) => found.every(({ place }) => !pattern.test(place)));
  expect(unused).toEqual([]);

  const check = async (from: string) => {
    const place = await mkdtemp(join(tmpdir(), 'tessera-check-'));
    folders.push(place);
    const sides = ['--from', from, '--app-id', demoKey.appId, '--to', url, '--to-app-id', key.appId];
    return operate('migrate', ['check', ...sides, '--project', 'proj_whole', '--folder', place, '--calls', '6000'], {
      env: { ...env, TARGET_APP_TOKEN: key.appToken },
    });
  };
  const refusing = await standBefore(url, async ({ path }, real) =>
    path === '/v1/validations' ? { status: 200, json: { valid: false } } : real(),
  );
  const [asked, told] = [await check(url), await check(refusing.url)];
  await refusing.close();
  expect(asked.stderr).toContain('and the answers to 3 customers who have redeemed');
  // Limits count alike on both sides, and a side that answers otherwise is named with its customer.
  expect(asked.stderr).not.toContain('again: ');
  for (const customer of ['cust_sian', 'cust_ingrid', 'cust_oluf']) {
    expect(told.stderr).toMatch(new RegExp(`${customer} redeems .* again: "refused: without a reason" at the source`));
  }
  const may = async (customer: string, headers: Record<string, string>) => {
    const body = { redeemables: [voucher('FAIR-1')], customer: { id: customer }, order: { amount: 10_000 } };
    const response = await fetch(`${url}/v1/validations`, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await response.json()) as Reply).valid;
  };
  for (const headers of [headersOf(demoKey), headersOf(key)]) {
    expect([await may('cust_sian', headers), await may('cust_ingrid', headers)]).toEqual([false, true]);
  }
});
