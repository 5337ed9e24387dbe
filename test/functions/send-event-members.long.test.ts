import { describe, expect, test } from 'vitest';
import { card, programme } from '../support/loyalty.ts';
import { openShop, typesOf } from '../support/shop.ts';
import { unusable, unusableNames } from '../support/unusable.ts';

const held = (code: string, campaign_id: string, more: object = {}) =>
  card(code, 100, { campaign_id, holder_id: 'cust_ada', ...more });

/** A programme that every customer joins, by a separate event. */
const joining = (name: string, more: object = {}) =>
  programme(`camp_${name}`, { name: `Programme ${name}`, type: 'AUTO_UPDATE', auto_join: true, ...more });

const rule = (name: string, event: string, points: number, more: object = {}) => ({
  id: `ern_${name}_${event}`,
  campaign_id: `camp_${name}`,
  event,
  active: true,
  loyalty: { type: 'FIXED', points },
  ...more,
});

const events = ['visited', 'joined', 'pended', 'unmet', 'quiet', 'blocked', 'closed'];

const lists = {
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  event_schema: [...events, ...unusableNames.map((state) => `in_${state}`)].map((name) => ({
    name,
    metadata: { amount: 'number' },
  })),
  campaigns: [
    programme('camp_first', { name: 'First', type: 'AUTO_UPDATE' }),
    programme('camp_second', { type: 'AUTO_UPDATE' }),
    programme('camp_over', { type: 'AUTO_UPDATE', expiration_date: '2026-01-01T00:00:00Z' }),
    joining('open', {
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 25, expiration_rules: { period_type: 'MONTH', period_value: 12 } },
        code_config: { pattern: 'OPEN-####', charset: '0123456789' },
      },
    }),
    joining('few', { voucher: { type: 'LOYALTY_CARD', code_config: { pattern: 'F#', charset: 'X' } } }),
    joining('held'),
    ...unusableNames.map((state) => joining(state, unusable[state].fields)),
  ],
  loyalty_tiers: [
    { id: 'ltr_in', name: 'In', campaign_id: 'camp_open', points: { from: 0, to: 99 } },
    { id: 'ltr_up', name: 'Up', campaign_id: 'camp_open', points: { from: 100 } },
  ],
  earning_rules: [
    rule('first', 'visited', 10),
    rule('second', 'visited', 20),
    rule('over', 'visited', 40),
    rule('open', 'joined', 80),
    rule('open', 'pended', 30, { pending_points: { days: 7 } }),
    rule('open', 'unmet', 1, { loyalty: { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1, every: 100 } }),
    rule('open', 'quiet', 5, { active: false }),
    rule('few', 'closed', 5),
    rule('held', 'blocked', 5),
    ...unusableNames.map((state) => rule(state, `in_${state}`, 5)),
  ],
  vouchers: [
    held('FIRST-OLD-OFF', 'camp_first', { active: false, created_at: '2026-01-01T00:00:00Z' }),
    held('FIRST-NEW', 'camp_first', { created_at: '2026-01-03T00:00:00Z' }),
    held('FIRST-EARLY', 'camp_first', { created_at: '2026-01-02T00:00:00Z' }),
    held('SECOND', 'camp_second'),
    held('OVER', 'camp_over'),
    held('BLOCKED', 'camp_held', { active: false }),
    held('BOBS', 'camp_first', { holder_id: 'cust_bob' }),
    held('FX', 'camp_second', { holder_id: undefined }),
  ],
};

const shop = await openShop(undefined, lists);

const cardIn = async (source_id: string): Promise<string> =>
  (await shop.activities(source_id)).data.find(({ type }: { type: string }) => type.endsWith('points_added'))?.data.data
    .voucher.code;

test('an event counts in each programme that rewards it, for the earliest usable card that its customer holds there', async () => {
  expect((await shop.send({ event: 'visited', customer: { source_id: 'ada' } })).status).toBe(200);
  const balances = ['FIRST-OLD-OFF', 'FIRST-EARLY', 'FIRST-NEW', 'SECOND', 'OVER', 'BOBS'].map(
    async (name) => (await shop.card(name)).balance,
  );
  expect(await Promise.all(balances)).toEqual([100, 110, 100, 120, 100, 100]);
});

test('an event that names a card counts for that card only', async () => {
  const { status } = await shop.send({ event: 'joined', customer: { source_id: 'bob' }, loyalty: { code: 'BOBS' } });
  expect(status).toBe(200);
  expect(Object.keys(await shop.memberships('bob'))).toEqual(['First']);
});

describe('a programme that everybody joins', () => {
  test('makes the customer a member by an event that earns, with everything that a member begins with', async () => {
    const { body } = await shop.send({ event: 'joined', customer: { source_id: 'new-1' } });
    expect(await shop.memberships('new-1')).toEqual({ 'Programme open': expect.objectContaining({ points: 105 }) });
    const name = await cardIn('new-1');
    expect(name).toMatch(/^OPEN-\d{4}$/);
    expect(await shop.voucher(name)).toMatchObject({
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_open',
      active: true,
      holder_id: body.customer.id,
      loyalty_card: { points: 105, balance: 105, next_expiration_date: '2027-06-15', next_expiration_points: 105 },
      publish: { count: 1 },
    });
    expect(await shop.ledger(name)).toMatchObject([{ points: 80, balance: 105 }]);
    const list = await shop.activities('new-1');
    expect(typesOf(list)).toEqual([
      'customer.created',
      'customer.custom_event',
      'customer.loyalty.tier.joined',
      'customer.loyalty.tier.upgraded',
      'customer.rewarded.loyalty_points',
      'customer.voucher.loyalty_card.points_added',
    ]);
    expect(list.total).toBe(6);
    expect(await shop.tier(name)).toBe('ltr_up');

    await shop.send({ event: 'joined', customer: { source_id: 'new-1' } });
    expect((await shop.card(name)).balance).toBe(185);
  });

  test('makes a member of a customer whose rule gives pending points only', async () => {
    await shop.send({ event: 'pended', customer: { source_id: 'new-2' } });
    expect(await shop.memberships('new-2')).toMatchObject({ 'Programme open': { points: 25, loyalty_tier: 'ltr_in' } });
  });

  test('is not joined if the codes of its form are used up, and the event counts', async () => {
    await shop.send({ event: 'closed', customer: { source_id: 'new-3' } });
    expect(await cardIn('new-3')).toBeUndefined();
    expect((await shop.card('FX')).balance).toBe(100);
  });

  test.each([
    ['an event that does not meet its rule', 'unmet', 'new-4'],
    ['an event with a disabled rule', 'quiet', 'new-5'],
    ['an event of another programme, which nobody joins', 'visited', 'new-6'],
    ...unusableNames.map((state) => [`an event while it is ${state}`, `in_${state}`, `new-${state}`]),
  ])('is not joined by %s', async (_, event, source_id) => {
    expect((await shop.send({ event, customer: { source_id } })).status).toBe(200);
    expect(await shop.memberships(source_id)).toEqual({});
  });

  test('gives no second card to a member whose card is disabled', async () => {
    const before = await shop.memberships('ada');
    expect((await shop.send({ event: 'blocked', customer: { source_id: 'ada' } })).status).toBe(200);
    expect(await shop.memberships('ada')).toEqual(before);
  });

  test.each([
    ['a new customer', 'many-1', false],
    ['a known one', 'many-2', true],
  ])('gives one card by twenty events at once of %s, and counts each', async (_, source_id, isKnown) => {
    if (isKnown) await shop.send({ event: 'quiet', customer: { source_id } });
    const sent = Array.from({ length: 20 }, () => shop.send({ event: 'joined', customer: { source_id } }));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shop.memberships(source_id)).toEqual({
      'Programme open': expect.objectContaining({ points: 25 + 20 * 80 }),
    });
    expect((await shop.card(await cardIn(source_id))).balance).toBe(25 + 20 * 80);
  });
});
