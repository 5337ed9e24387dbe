import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as addMember } from '../../functions/loyalties/add-member.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as createPublication } from '../../functions/publications/create-publication.ts';
import { handler as listPublications } from '../../functions/publications/list-publications.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const letters = 'abcdefghijkl';
/** Makes all 144 codes of the form `PREFIX-##`. */
const allCodes = (prefix: string) => [...letters].flatMap((one) => [...letters].map((two) => `${prefix}-${one}${two}`));
const discount = { type: 'PERCENT', percent_off: 10 };
const code_config = (prefix: string) => ({ pattern: `${prefix}-##`, charset: letters });

const campaign = (id: string, campaign_type: string, voucher: object) => ({
  ...{ id, name: id, campaign_type, type: 'AUTO_UPDATE' },
  voucher: { code_config: code_config(id), ...voucher },
});
const coupons = (id: string) => campaign(id, 'DISCOUNT_COUPONS', { type: 'DISCOUNT_VOUCHER', discount });
const club = (id: string, how: object = {}) => ({
  ...campaign(id, 'LOYALTY_PROGRAM', { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } }),
  ...how,
});

/** Loads a campaign of 144 possible codes, of which all but these are used already. */
function nearlyUsedUp(one: { id: string }, left: readonly string[]) {
  const taken = allCodes(one.id).filter((code) => !left.includes(code));
  return loadProject({
    campaigns: [one],
    // These vouchers belong to no campaign, because a campaign's free codes would be published first.
    vouchers: taken.map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount })),
  });
}

const ask = (headers: Record<string, string>, handler: Endpoint, request: object) =>
  caller(handler)({ headers, ...request });

const ways: [
  string,
  (id: string) => ReturnType<typeof campaign>,
  (
    headers: Record<string, string>,
    id: string,
    customer: string,
  ) => Promise<{ status: number; code: string | undefined; key: string }>,
][] = [
  [
    'a voucher of the campaign',
    coupons,
    async (headers, campaign) => {
      const { status, body } = await ask(headers, createVoucher, { body: { campaign } });
      return { status, code: body.code, key: body.key };
    },
  ],
  [
    'a publication',
    coupons,
    async (headers, name, customer) => {
      const { status, body } = await ask(headers, createPublication, {
        body: { campaign: { name }, customer: { source_id: customer } },
      });
      return { status, code: body.voucher?.code, key: body.key };
    },
  ],
  [
    'a member of a programme',
    club,
    async (headers, campaignId, customer) => {
      const { status, body } = await ask(headers, addMember, {
        params: { campaignId },
        body: { customer: { source_id: customer } },
      });
      return { status, code: body.code, key: body.key };
    },
  ],
];

test.each(ways)('%s gets the last free codes of the form, and then none of another form', async (_, make, get) => {
  const left = ['OWN-ad', 'OWN-hh', 'OWN-lk'];
  const { credentials } = await nearlyUsedUp(make('OWN'), left);
  const given = [];
  for (const customer of ['one', 'two', 'three']) given.push(await get(credentials, 'OWN', customer));
  expect(given.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(given.map(({ code }) => code).toSorted()).toEqual(left);
  expect(await get(credentials, 'OWN', 'four')).toMatchObject({ status: 400, key: 'invalid_code_config' });
});

test('simultaneous publications share the last codes', async () => {
  const left = ['OWN-aa', 'OWN-bj', 'OWN-cl', 'OWN-ld'];
  const { credentials: headers } = await nearlyUsedUp(coupons('OWN'), left);
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, number) =>
      ask(headers, createPublication, { body: { campaign: { name: 'OWN' }, customer: { source_id: `c${number}` } } }),
    ),
  );
  const codes = all.flatMap(({ body }) => body.voucher?.code ?? []);
  expect(codes.toSorted()).toEqual(left);
  expect(all.filter(({ body }) => body.key === 'invalid_code_config')).toHaveLength(2);
  const { body } = await ask(headers, listPublications, { query: 'result=FAILURE' });
  expect(body.publications.map((one: Record<string, unknown>) => one.failure_code)).toEqual([
    'invalid_code_config',
    'invalid_code_config',
  ]);
});

test('the refusal names the form, and says what to do', async () => {
  const { credentials: headers } = await nearlyUsedUp(coupons('OWN'), []);
  const { body } = await ask(headers, createVoucher, { body: { campaign: 'OWN' } });
  expect(body.details).toBe(
    "the campaign's code_config: none of its codes is free, or almost none: publish codes of your own, or use another campaign",
  );
});

test('an order is stored, and earns nothing, if the programme that its customer would join has no codes left', async () => {
  const { credentials: headers } = await loadProject({
    campaigns: [club('OWN', { auto_join: true })],
    earning_rules: [
      {
        ...{ id: 'ern_1', campaign_id: 'OWN', event: 'order.paid', active: true },
        loyalty: { type: 'FIXED', points: 100 },
      },
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [
      ...allCodes('OWN').map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount })),
      { code: 'TENTH', type: 'DISCOUNT_VOUCHER', discount },
    ],
  });
  const order = { amount: 1000, status: 'PAID', customer: { id: 'cust_ada' } };
  expect((await ask(headers, createOrder, { body: order })).status).toBe(200);
  const body = {
    redeemables: [{ object: 'voucher', id: 'TENTH' }],
    order: { amount: 1000 },
    customer: { id: 'cust_ada' },
  };
  expect((await ask(headers, redeemRedeemables, { body })).status).toBe(200);
});
