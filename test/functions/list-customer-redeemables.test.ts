import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { campaignEntry } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { loadFile, loadProject, type TestProject } from '../support/project.ts';

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00.000Z`;
const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };
const off = { type: 'PERCENT', percent_off: 10 };

const campaigns = [
  { id: 'camp_on', name: 'On', ...coupons, voucher: { type: 'DISCOUNT_VOUCHER', discount: off }, category_id: 'cat_1' },
  { id: 'camp_off', name: 'Off', ...coupons, active: false, voucher: { type: 'DISCOUNT_VOUCHER', discount: off } },
  {
    id: 'camp_over',
    name: 'Over',
    ...coupons,
    expiration_date: day(1),
    voucher: { type: 'DISCOUNT_VOUCHER', discount: off },
  },
  campaignEntry('camp_mate', 'Mate', 'REFERRAL_PROGRAM', {
    voucher: { type: 'DISCOUNT_VOUCHER', discount: off, is_referral_code: true },
  }),
  programme('camp_club', { name: 'Club', type: 'AUTO_UPDATE', auto_join: true }),
];

const coupon = { type: 'DISCOUNT_VOUCHER', discount: off, holder_id: 'cust_1', active: true };
const gift = { type: 'GIFT_VOUCHER', holder_id: 'cust_1', active: true };
const card = { type: 'LOYALTY_CARD', holder_id: 'cust_1', active: true, campaign_id: 'camp_club' };

/** Each holding shows its status, and the role of the customer. */
const held: readonly (readonly [
  { code: string; [field: string]: unknown },
  status: string,
  role: string,
  campaignType: string | null,
])[] = [
  [{ ...coupon, code: 'PLAIN' }, 'ACTIVE', 'OWNER', null],
  [{ ...coupon, code: 'OFF', active: false }, 'DISABLED', 'OWNER', null],
  [
    { ...coupon, code: 'CAMP-OFF', campaign_id: 'camp_off', expiration_date: day(1) },
    'DISABLED',
    'OWNER',
    'DISCOUNT_COUPONS',
  ],
  [{ ...coupon, code: 'LATER', start_date: day(30), expiration_date: '2026-12-01T00:00:00Z' }, 'ACTIVE', 'OWNER', null],
  [{ ...coupon, code: 'NEXT-YEAR', start_date: '2027-01-01T00:00:00Z' }, 'NOT_ACTIVE_YET', 'OWNER', null],
  [{ ...coupon, code: 'CAMP-OVER', campaign_id: 'camp_over' }, 'EXPIRED', 'OWNER', 'DISCOUNT_COUPONS'],
  [
    { ...gift, code: 'SPENT', gift: { amount: 500, balance: 0 }, redemption: { quantity: 1, redeemed_quantity: 1 } },
    'NO_BALANCE',
    'OWNER',
    null,
  ],
  [{ ...gift, code: 'GIFT', gift: { amount: 500, balance: 20 } }, 'ACTIVE', 'OWNER', null],
  [{ ...coupon, code: 'USED', redemption: { quantity: 2, redeemed_quantity: 2 } }, 'USED', 'OWNER', null],
  [{ ...coupon, code: 'MATE', campaign_id: 'camp_mate' }, 'ACTIVE', 'REFERRER', 'REFERRAL_PROGRAM'],
  [{ ...card, code: 'POOR', loyalty_card: { points: 0 } }, 'NO_BALANCE', 'OWNER', 'LOYALTY_PROGRAM'],
  [{ ...card, code: 'RICH', loyalty_card: { points: 5 } }, 'ACTIVE', 'OWNER', 'LOYALTY_PROGRAM'],
  [
    {
      ...coupon,
      code: 'NIGHT',
      campaign_id: 'camp_on',
      validity_hours: { daily: [{ start_time: '02:00', expiration_time: '03:00' }] },
    },
    'ACTIVE',
    'OWNER',
    'DISCOUNT_COUPONS',
  ],
];

const file = {
  categories: [{ id: 'cat_1', name: 'Tea' }],
  campaigns,
  customers: [{ id: 'cust_1', source_id: 'ana' }, { id: 'cust_2' }],
  vouchers: [
    ...held.map(([voucher], index) => ({ ...voucher, created_at: day(1 + index) })),
    { ...coupon, code: 'OTHER', holder_id: 'cust_2' },
    { ...coupon, code: 'FREE', holder_id: undefined },
  ],
  event_schema: [{ name: 'visit', metadata: {} }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', loyalty: { type: 'FIXED', points: 3 }, active: true },
  ],
};

const codes = held.map(([{ code }]) => code);

describe("a customer's wallet", () => {
  let project: TestProject;
  beforeAll(async () => {
    project = await loadProject(file);
  });
  const list = async (query = '', customerId = 'cust_1', clock = standingClock()) =>
    caller(handler, testDependencies({ clock }))({ headers: project.credentials, params: { customerId }, query });
  const codesIn = ({ data }: { data: { redeemable: { voucher: { code: string } } }[] }) =>
    data.map(({ redeemable }) => redeemable.voucher.code);

  test('lists the newest first, ten a page, each with its status and role, by id or source id', async () => {
    const { body } = await list();
    expect(body).toMatchObject({ object: 'list', data_ref: 'data', total: held.length, has_more: true });
    expect(codesIn(body)).toEqual(codes.toReversed().slice(0, 10));
    const { body: rest } = await list(`order=-created_at&starting_after_id=${body.more_starting_after}`, 'ana');
    expect(codesIn(rest)).toEqual(codes.toReversed().slice(10));
    expect([rest.has_more, rest.total, 'more_starting_after' in rest]).toEqual([false, held.length, false]);
  });

  test.each(held.map(([{ code }, ...shown]) => [code, ...shown] as const))(
    'shows of %s: %s, %s, %s',
    async (code, status, role, type) => {
      const { body } = await list('limit=100&order=id');
      const one = body.data[codes.indexOf(code)];
      const { body: voucher } = await caller(getVoucher)({ headers: project.credentials, params: { code } });
      expect(one).toEqual({
        id: expect.stringMatching(/^rh_/),
        created_at: voucher.created_at,
        redeemable_id: voucher.id,
        redeemable_object: 'voucher',
        customer_id: 'cust_1',
        holder_role: role,
        campaign_id: voucher.campaign_id,
        campaign_type: type,
        voucher_type: voucher.type,
        redeemable: { type: 'voucher', voucher: { ...voucher, category: null, categories: [] }, status },
      });
    },
  );

  const filters = (field: string, operator: string, value: string) =>
    `filters[${field}][conditions][${operator}]=${value}`;

  test.each([
    [filters('voucher_type', '$is', 'GIFT_VOUCHER'), ['GIFT', 'SPENT']],
    [filters('holder_role', '$is', 'REFERRER'), ['MATE']],
    [filters('campaign_type', '$in', 'LOYALTY_PROGRAM'), ['RICH', 'POOR']],
    [filters('campaign_id', '$is', 'camp_on'), ['NIGHT']],
    [filters('campaign_id', '$is_unknown', ''), ['USED', 'GIFT', 'SPENT', 'NEXT-YEAR', 'LATER', 'OFF', 'PLAIN']],
    [filters('created_at', '$before', day(3)), ['OFF', 'PLAIN']],
    [filters('redeemable_object', '$is_not', 'voucher'), []],
    [
      `${filters('campaign_id', '$is', 'camp_mate')}&${filters('voucher_type', '$is', 'LOYALTY_CARD')}&filters[junction]=or`,
      ['RICH', 'POOR', 'MATE'],
    ],
  ])('is filtered by %s, and counted', async (query, expected) => {
    const { body } = await list(query);
    expect([codesIn(body), body.total, body.has_more]).toEqual([expected, expected.length, false]);
  });

  test.each([
    ['filters[colour][conditions][$is]=red', 'filters.colour is not a field to filter by: id, created_at'],
    ['filters[id][conditions][$more_than]=1', 'filters.id.conditions.$more_than is not an operator'],
    ['starting_after_id=rh_none', 'starting_after_id'],
    ['order=code', 'order'],
  ])('is not listed by %s', async (query, details) => {
    const { status, body } = await list(query);
    expect([status, body.key, body.details]).toEqual([400, 'invalid_query_params', expect.stringContaining(details)]);
  });

  test('has only vouchers of this customer, and nobody else has these', async () => {
    expect(codesIn((await list('', 'cust_2')).body)).toEqual(['OTHER']);
    expect((await list('', 'nobody')).body).toMatchObject({ key: 'not_found', resource_type: 'customer' });
  });

  test('has the card of a membership that an event made, unchanged after the file is loaded again', async () => {
    const clock = standingClock(new Date(testTime.getTime() + 1_000));
    const event = { event: 'visit', customer: { id: 'cust_2' } };
    await caller(sendEvent, testDependencies({ clock }))({ headers: project.credentials, body: event });
    const before = (await list('', 'cust_2', clock)).body;
    expect(before.data).toMatchObject([
      { created_at: clock().toISOString(), voucher_type: 'LOYALTY_CARD', redeemable: { status: 'ACTIVE' } },
      { redeemable: { voucher: { code: 'OTHER' } } },
    ]);
    await loadFile(project.file, new Date(testTime.getTime() + 60_000));
    expect((await list('', 'cust_2', clock)).body.data.map(({ id }: { id: string }) => id)).toEqual(
      before.data.map(({ id }: { id: string }) => id),
    );
  });
});
