import { describe, expect, test } from 'vitest';
import { handler as removeHandler } from '../../functions/vouchers/delete-voucher.ts';
import { handler as listHandler } from '../../functions/vouchers/list-vouchers.ts';
import { handler as updateHandler } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { countAsTheStreamDoes } from '../support/counted.ts';
import { testDependencies } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { campaignEntry, couponCampaign } from '../support/lists.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = { type: 'DISCOUNT_VOUCHER', discount, active: true };
const later = '2026-06-15T12:00:01.000Z';

const ids = new Map<string, string>();

const call = (query: string) => caller(listHandler)({ headers: project.credentials, query });

async function codes(query: string): Promise<string[]> {
  const { body } = await call(query);
  return body.vouchers.map(({ code }: { code: string }) => code);
}

const sorted = async (query: string) => (await codes(`${query}&limit=100`)).sort();

const project = await loadProject({
  categories: [
    { id: 'cat_1', name: 'Fresh', hierarchy: 1 },
    { id: 'cat_2', name: 'Old', hierarchy: 2 },
  ],
  customers: [{ id: 'cust_1', source_id: 'crm-1' }],
  campaigns: [
    couponCampaign('camp_1', 'One', discount, { category_id: 'cat_2', expiration_date: '2026-05-01T00:00:00Z' }),
    campaignEntry('camp_2', 'Friends', 'REFERRAL_PROGRAM', { voucher: { type: 'DISCOUNT_VOUCHER', discount } }),
  ],
  vouchers: [
    { ...coupon, code: 'b', created_at: '2026-01-01T00:00:00Z', category: 'Fresh', metadata: { tier: 'gold', n: 5 } },
    { ...coupon, code: 'a', created_at: '2026-01-02T00:00:00Z', active: false, holder_id: 'cust_1' },
    { ...coupon, code: 'C', created_at: '2026-01-03T00:00:00Z', campaign: 'One', holder_id: 'cust_1' },
    { ...coupon, code: 'd', created_at: '2026-01-04T00:00:00Z', campaign: 'One', category: 'Fresh' },
    { ...coupon, code: 'e', created_at: '2026-01-05T00:00:00Z', campaign: 'Friends' },
    {
      ...{ ...coupon, code: 'f', created_at: '2026-01-06T00:00:00Z', start_date: '2027-01-01T00:00:00Z' },
      ...{ redemption: { quantity: 2, redeemed_quantity: 1 }, validity_day_of_week: [1, 2] },
    },
  ],
});
const { body } = await call('');
for (const { code, id } of body.vouchers) ids.set(code, id);
const at = (now: string) => testDependencies({ clock: () => new Date(now) });
const touch = (code: string, now: string) =>
  caller(updateHandler, at(now))({ headers: project.credentials, params: { code }, body: { additional_info: 'x' } });
await touch('d', later);
await touch('b', '2026-06-15T12:00:02.000Z');

describe('the list of vouchers', () => {
  test.each([
    ['', 'f e d C a b'],
    ['order=created_at', 'b a C d e f'],
    ['order=code', 'C a b d e f'],
    ['order=-code', 'f e d b a C'],
    ['order=-updated_at', 'b d f e C a'],
    ['order=updated_at', 'd b a C e f'],
    ['order=updated_at&limit=2&page=2', 'a C'],
    ['order=-updated_at&campaign=One', 'd C'],
    ['order=updated_at&filters[metadata.tier][conditions][$is_unknown]=true', 'd a C e f'],
    ['limit=2&page=2', 'd C'],
    ['limit=2&page=9', ''],
  ])('"%s" is in its order: %s', async (query, expected) => {
    const { status, body } = await call(query);
    expect([status, body.data_ref]).toEqual([200, 'vouchers']);
    expect(body.vouchers.map(({ code }: { code: string }) => code).join(' ')).toBe(expected);
  });

  test('counts all, whatever the page, and is walked by a cursor', async () => {
    const first = (await call('limit=4')).body;
    expect(first).toMatchObject({ total: 6, has_more: true, more_starting_after: ids.get('C') });
    const next = await call(`limit=4&starting_after_id=${first.more_starting_after}`);
    expect(next.body).toMatchObject({ vouchers: [{ code: 'a' }, { code: 'b' }], total: 6, has_more: false });
    for (const query of ['order=code', 'code=a', 'starting_after_id=nope']) {
      const refused = await call(`${query}&starting_after_id=${query.startsWith('s') ? 'x' : ids.get('a')}`);
      expect(refused.body.key).toBe('invalid_query_params');
    }
  });

  test.each([
    ['campaign=One', 'C d'],
    ['campaign=camp_1', 'C d'],
    ['campaign_id=camp_1', 'C d'],
    ['campaign=nope', ''],
    ['customer=crm-1', 'C a'],
    ['customer=cust_1&campaign_id=camp_1', 'C'],
    ['customer=nope', ''],
    ['code=a', 'a'],
    ['code=a&campaign=One', ''],
    ['code=A', ''],
    ['category=Fresh', 'b d'],
    ['category=cat_2', 'C'],
    ['category=nope', ''],
    ['created_at[after]=2026-01-05', 'f'],
    ['created_at[after]=2026-01-02&created_at[before]=2026-01-05', 'C d'],
    ['created_at[before]=2026-01-02T00:00:01Z&order=code', 'a b'],
    [`updated_at[after]=${later}`, 'b'],
    [`updated_at[before]=${later}`, ''],
    [`updated_at[after]=2026-01-01&order=updated_at`, 'b d'],
    [`updated_at[after]=2026-01-01&campaign=One`, 'd'],
  ])('%s narrows it to: %s', async (query, expected) => {
    expect((await sorted(query)).join(' ')).toBe(expected);
  });

  test('has the vouchers of the ids, each once, and leaves out missing ones', async () => {
    const [a, f] = [ids.get('a'), ids.get('f')];
    expect(await codes(`ids[]=${a}&ids[]=${f}&ids[]=${a}&ids[]=v_nope`)).toEqual(['f', 'a']);
    expect((await call(`ids[]=${a}`)).body).toMatchObject({ total: 1, has_more: false });
  });

  test.each([
    ['[active][$active]=', 'b e'],
    ['[active][conditions][$enabled]=true', 'C b d e f'],
    ['[active][$disabled]=', 'a'],
    ['[active][$expired]=', 'C d'],
    ['[code][conditions][$starts_with]=a', 'a'],
    ['[vouchers][conditions][$in][0]=a&filters[vouchers][conditions][$in][1]=b', 'a b'],
    ['[campaign_ids][conditions][$is]=camp_1', 'C d'],
    ['[redemption.redeemed_quantity][conditions][$more_than]=0', 'f'],
    ['[redemption_status][conditions][$is]=PARTIALLY_REDEEMED', 'f'],
    ['[is_referral_code][conditions][$is]=TRUE', 'e'],
    ['[start_date][conditions][$after]=2026-12-01', 'f'],
    ['[expiration_date][conditions][$has_value]=', 'C d'],
    ['[created_at][conditions][$before]=2026-01-02', 'b'],
    ['[created_date][conditions][$is]=2026-01-02', 'a'],
    ['[updated_at][conditions][$has_value]=', 'b d'],
    ['[categories][conditions][$is]=Fresh', 'b d'],
    ['[category_ids][conditions][$in]=cat_2', 'C'],
    ['[holder_id][conditions][$is]=cust_1', 'C a'],
    ['[published_for_customer_id][conditions][$is]=cust_1', 'C a'],
    ['[validity_timeframe][conditions][$has_value]=', ''],
    ['[validity_day_of_week][conditions][$contains]=2', 'f'],
    ['[metadata.tier][conditions][$is]=gold', 'b'],
    ['[metadata.n][conditions][$more_than]=4', 'b'],
    ['[junction]=or&filters[code][conditions][$is]=a&filters[metadata.n][conditions][$is]=5', 'a b'],
  ])('filters%s: %s', async (filter, expected) => {
    expect((await sorted(`filters${filter}`)).join(' ')).toBe(expected);
  });

  test.each(['filters[nope][conditions][$is]=1', 'filters[active][$maybe]=1'])('%s is refused', async (query) => {
    expect((await call(query)).body.key).toBe('invalid_query_params');
  });
});

test('long lists of a project and of a campaign are counted behind the writes, and deleted vouchers no longer count', async () => {
  const vouchers = Array.from({ length: 105 }, (_, index) => ({ ...coupon, code: `V${index}`, campaign: 'Many' }));
  const many = await loadProject({
    campaigns: [{ id: 'camp_m', name: 'Many', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
    vouchers,
  });
  const list = async (query: string) => (await caller(listHandler)({ headers: many.credentials, query })).body;
  await countAsTheStreamDoes(tableOfFile(), await itemsOf(many.id, 'VOUCHER'));
  expect((await list('')).total).toBe(105);
  expect((await list('campaign=Many&page=11')).vouchers).toHaveLength(5);
  expect((await list('campaign=Many')).total).toBe(105);
  await caller(removeHandler)({ headers: many.credentials, params: { code: 'V7' } });
  expect((await list('campaign=Many&order=code&limit=100&page=2')).total).toBe(104);
});
