import { describe, expect, test } from 'vitest';
import { loadProject } from '../support/project.ts';
import { day, off } from '../support/qualifying.ts';
import { askingAda, fair, openFair } from '../support/qualifying-fair.ts';

const headers = await openFair();

describe('the option expand', () => {
  const extra = ['metadata', 'categories', 'name', 'banner', 'campaign_id', 'campaign_name'];

  test('is empty by default, and entries have only their ids', async () => {
    const { body } = await askingAda(headers)();
    for (const one of body.redeemables.data) expect(Object.keys(one).filter((key) => extra.includes(key))).toEqual([]);
  });

  const described: [id: string, said: object][] = [
    [
      'promo_1',
      {
        name: 'One',
        banner: 'Look',
        metadata: { place: 'door' },
        ...{ campaign_id: 'camp_promo', campaign_name: 'Promo' },
      },
    ],
    ['promo_2', { name: 'Two', metadata: {}, campaign_id: 'camp_promo', campaign_name: 'Promo' }],
    ['OPEN', { metadata: { print: 7 } }],
    ['CODE', { metadata: {}, campaign_id: 'camp_codes', campaign_name: 'Codes' }],
    [
      'camp_codes',
      { name: 'Codes', metadata: { season: 'spring' }, campaign_id: 'camp_codes', campaign_name: 'Codes' },
    ],
    ['camp_gifts', { name: 'Gifts', metadata: {}, campaign_id: 'camp_gifts', campaign_name: 'Gifts' }],
  ];

  test.each(described)('with redeemable shows the data of %s', async (id, said) => {
    const { of } = await askingAda(headers)({}, { options: { expand: ['redeemable'] } });
    expect(Object.fromEntries(Object.entries(of(id)).filter(([key]) => extra.includes(key)))).toEqual(said);
  });

  test.each([
    ['promo_1', 'cat_a'],
    ['promo_2', undefined],
    ['OPEN', 'cat_b'],
    ['CODE', 'cat_a'],
    ['camp_codes', 'cat_a'],
    ['CARD', undefined],
  ])('with category shows the category of %s', async (id, category) => {
    const { of } = await askingAda(headers)({}, { options: { expand: ['category'] } });
    expect(of(id).categories).toMatchObject(category ? [{ id: category, object: 'category' }] : []);
    expect(of(id).categories).toHaveLength(category ? 1 : 0);
  });
});

test('a limit above 50 counts as 50', async () => {
  const { ids } = await askingAda(headers)({}, { options: { limit: 50 } });
  expect((await askingAda(headers)({}, { options: { limit: 51 } })).ids).toEqual(ids);
  expect((await askingAda(headers)({}, { options: { limit: 1_000_000 } })).ids).toEqual(ids);
});

describe('the sorting rule', () => {
  const tiers = [200, 100, 200, 50].map((amount, index) => ({
    ...{ id: `promo_${index + 1}`, name: `Tier ${index + 1}`, campaign_id: 'camp_promo', hierarchy: index + 1 },
    ...{ action: { discount: off(amount) }, created_at: day(index + 1) },
  }));

  test.each([
    ['BEST_DEAL', ['promo_3', 'promo_1', 'promo_2', 'promo_4']],
    ['LEAST_DEAL', ['promo_4', 'promo_2', 'promo_3', 'promo_1']],
    ['DEFAULT', ['promo_4', 'promo_3', 'promo_2', 'promo_1']],
  ])('%s sorts, and among equals the newest comes first', async (sorting_rule, order) => {
    const [promo] = fair.campaigns;
    const { credentials } = await loadProject({ campaigns: [promo], promotion_tiers: tiers });
    const ask = askingAda(credentials);
    expect((await ask({ customer: undefined }, { options: { sorting_rule } })).ids).toEqual(order);
    const { ids, body } = await ask({ customer: undefined }, { options: { sorting_rule, limit: 2 } });
    expect(ids).toEqual(order.slice(0, 2));
    expect(body.redeemables).toMatchObject({ total: 2, has_more: true });
    expect('more_starting_after' in body.redeemables).toBe(sorting_rule === 'DEFAULT');
  });
});
