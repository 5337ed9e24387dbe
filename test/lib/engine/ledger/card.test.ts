import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { campaignItem } from '#engine/campaigns/campaign.ts';
import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type Card, findStanding } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { expireLots, settleByTime } from '#engine/ledger/settlement.ts';
import { voucherItem } from '#engine/vouchers/voucher.ts';
import { mergeEffects } from '#kernel/table/effects.ts';

const tier = (id: string, from: number, to?: number): LoyaltyTierItem => ({
  id,
  name: id,
  campaign_id: 'camp_club',
  created_at: '2026-01-01T00:00:00.000Z',
  points: { from, ...(to === undefined ? {} : { to }) },
  metadata: {},
  earning_rules: {},
  rewards: {},
});

const campaign = v.parse(campaignItem, {
  id: 'camp_club',
  name: 'Club',
  campaign_type: 'LOYALTY_PROGRAM',
  type: 'STATIC',
  created_at: '2026-01-01T00:00:00Z',
  creation_status: 'DONE',
  vouchers_generation_status: 'DONE',
  voucher: {
    type: 'LOYALTY_CARD',
    loyalty_card: {
      points: 0,
      expiration_rules: { period_type: 'MONTH', period_value: 12, rounding_type: 'END_OF_YEAR' },
    },
  },
  loyalty_tiers_expiration: {
    qualification_type: 'BALANCE',
    expiration_date: { type: 'CUSTOM', extend: 'P3M', rounding: { type: 'MONTH', strategy: 'END' } },
  },
});

function cardWith(more: Record<string, unknown>): Card {
  const item = v.parse(voucherItem, {
    id: 'v_1',
    code: 'A',
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_club',
    created_at: '2026-02-10T09:00:00Z',
    ...more,
  });
  return { item, programme: { campaign, tiers: [tier('bronze', 10, 99), tier('silver', 100)] } };
}

const on = (day: string) => ({ ...readOccasion({ now: new Date(`${day}T12:00:00Z`) }), groupId: 'grp_1' });
const lot = (points: number, expires: string | null) => ({ points, expires });

/** The new attributes of the card by name. `null` means a removed attribute. */
function written(changed: ReturnType<typeof expireLots>): Record<string, unknown> {
  const [first] = mergeEffects(cardEffects('proj_1', changed, new Date('2026-06-15T12:00:00Z')).effects);
  if (!first || !('change' in first.write)) throw new Error('the first write is not the card');
  const { set, names, values } = first.write.change;
  const [, sets = '', removes = ''] = /SET (.*?)(?: REMOVE (.*?))?(?: ADD .*)?$/.exec(set) ?? [];
  const pairs = sets.split(', ').map((part) => part.split(' = '));
  return Object.fromEntries([
    ...pairs.map(([name = '', value = '']) => [names[name], values[value]]),
    ...removes.split(', ').flatMap((name) => (name ? [[names[name], null]] : [])),
  ]);
}

describe('a card that was never settled', () => {
  const card = cardWith({ lots: [lot(120, null)] });

  test('has been in its tier since its creation, whenever it is first settled', () => {
    expect(findStanding(card, '2026-02-10').standing).toMatchObject({
      start_date: '2026-02-10',
      expiration_date: '2026-05-31',
    });
    expect(findStanding(card, '2026-06-15')).toEqual({
      standing: { tier_id: 'silver', start_date: '2026-06-01', expiration_date: '2026-09-30' },
      moves: [],
    });
  });

  test('has left its tier by then, if its points lapsed', () => {
    const lapsing = cardWith({ lots: [lot(110, '2026-04-30'), lot(10, null)] });
    expect(findStanding(lapsing, '2026-05-31').standing?.tier_id).toBe('silver');
    expect(findStanding(lapsing, '2026-06-01')).toMatchObject({
      standing: { tier_id: 'bronze', start_date: '2026-06-01' },
      moves: [{ kind: 'downgraded' }],
    });
  });

  test('is settled as of today if a slow clock makes its creation a future date', () => {
    expect(findStanding(card, '2026-01-01').standing?.start_date).toBe('2026-01-01');
  });

  test('has nothing to settle, but is due again at the end of its tier', () => {
    expect(settleByTime(card, on('2026-06-15'))).toBeUndefined();
    expect(written(expireLots(card, on('2026-06-15')))).toMatchObject({
      dueAt: '2026-10-01',
      standing: { tier_id: 'silver' },
    });
  });

  test('keeps its due date when something else than its points changes', () => {
    const unchanged = { before: card.item, after: card.item, entries: [], activities: [] };
    expect(written(unchanged)).not.toHaveProperty('dueAt');
    expect(written(unchanged)).not.toHaveProperty('standing');
  });
});

describe('a card is due', () => {
  const noTier = { standing: null };
  test.each<[string, Record<string, unknown>, string | null]>([
    [
      'the day after the first of its lots',
      { ...noTier, lots: [lot(1, '2026-09-30'), lot(2, '2026-07-31')] },
      '2026-08-01',
    ],
    ['never, if no lot expires', { ...noTier, lots: [lot(1, null)] }, null],
    [
      'the day after its tier ends, if that is first',
      {
        lots: [lot(50, '2026-12-31')],
        standing: { tier_id: 'bronze', start_date: '2026-06-01', expiration_date: '2026-09-30' },
      },
      '2026-10-01',
    ],
  ])('%s', (_, more, due) => {
    const card = cardWith(more);
    expect(written({ before: card.item, after: card.item, entries: [], activities: [] }).dueAt).toBe(due);
  });
});

describe('settling', () => {
  test('writes off all lapsed points in one entry, with the tier changes that follow', () => {
    const card = cardWith({
      lots: [lot(30, '2026-06-14'), lot(70, '2026-04-30'), lot(5, null)],
      standing: { tier_id: 'silver', start_date: '2026-01-01', expiration_date: '2026-04-30' },
      ledger_entries: 4,
    });
    const changed = settleByTime(card, on('2026-06-15'));
    expect(changed).toMatchObject({
      after: { lots: [lot(5, null)], standing: { tier_id: 'bronze' }, ledger_entries: 5 },
      entries: [{ type: 'POINTS_EXPIRATION', points: -100, balance: 5, sequence: 5, moves: [{ kind: 'downgraded' }] }],
      activities: [],
    });
  });

  test('is not due on the last day of points, nor of a tier', () => {
    const standing = { tier_id: 'bronze', start_date: '2026-06-01', expiration_date: '2026-06-15' };
    expect(settleByTime(cardWith({ lots: [lot(50, '2026-06-15')], standing }), on('2026-06-15'))).toBeUndefined();
  });
});

describe('postings', () => {
  test('are an entry each, with the balance after it, and credits begin a lot under the rules of the campaign', () => {
    const card = cardWith({ lots: [lot(20, null)], credited_points: 25, ledger_entries: 2 });
    const changed = applyPostings(card, on('2026-06-15'), [
      { type: 'POINTS_ACCRUAL', points: 90 },
      { type: 'POINTS_TRANSFER_OUT', points: -95, source_id: 's' },
    ]);
    expect(changed.entries).toMatchObject([
      { points: 90, balance: 110, sequence: 3, moves: [{ kind: 'upgraded' }] },
      { points: -95, balance: 15, sequence: 4, source_id: 's', moves: [] },
    ]);
    expect(changed.after).toMatchObject({
      lots: [lot(15, null)],
      credited_points: 115,
      ledger_entries: 4,
      standing: { tier_id: 'silver', expiration_date: '2026-09-30' },
    });
  });

  test('of more points than the card has throw, and write nothing', () => {
    const card = cardWith({ lots: [lot(20, null)] });
    expect(() => applyPostings(card, on('2026-06-15'), [{ type: 'POINTS_TRANSFER_OUT', points: -21 }])).toThrow();
  });

  test('of a card without a campaign never expire', () => {
    const card = { ...cardWith({ lots: [], campaign_id: undefined }), programme: undefined };
    const { after } = applyPostings(card, on('2026-06-15'), [{ type: 'POINTS_TRANSFER_IN', points: 5 }]);
    expect([after.lots, after.standing]).toEqual([[lot(5, null)], null]);
  });
});
