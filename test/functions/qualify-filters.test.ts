import { describe, expect, test } from 'vitest';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';
import { day } from '../support/qualifying.ts';
import { askingAda, coupons, fair, openFair } from '../support/qualifying-fair.ts';

const headers = await openFair();

const everything = [
  ...['CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN', 'promo_2', 'promo_1', 'camp_mate', 'camp_gifts', 'camp_codes'],
];

const $is = (...values: string[]) => ({ conditions: { $is: values } });

describe('filters', () => {
  test('show everything if they are empty', async () => {
    expect((await askingAda(headers)()).ids).toEqual(everything);
  });

  const rows: [name: string, filters: object, ...found: string[]][] = [
    ["category, also the campaign's", { category_id: $is('cat_a') }, 'CODE', 'promo_1', 'camp_codes'],
    [
      'no category',
      { category_id: { conditions: { $is_unknown: true } } },
      ...['CARD', 'GIFT', 'MATE-EVE'],
      'promo_2',
      ...['camp_mate', 'camp_gifts'],
    ],
    ['campaign', { campaign_id: $is('camp_promo') }, 'promo_2', 'promo_1'],
    ['a campaign itself', { campaign_id: $is('camp_gifts') }, 'GIFT', 'camp_gifts'],
    ['no campaign', { campaign_id: { conditions: { $is_unknown: true } } }, 'OPEN'],
    [
      'several campaigns',
      { campaign_id: { conditions: { $in: ['camp_club', 'camp_codes'] } } },
      'CARD',
      'CODE',
      'camp_codes',
    ],
    ['campaign type', { campaign_type: $is('PROMOTION') }, 'promo_2', 'promo_1'],
    [
      'other campaign types',
      { campaign_type: { conditions: { $in: ['LOYALTY_PROGRAM', 'REFERRAL_PROGRAM'] } } },
      'CARD',
      'MATE-EVE',
      'camp_mate',
    ],
    ['resource: a tier', { resource_id: $is('promo_2') }, 'promo_2'],
    ['resource: a campaign without its codes and tiers', { resource_id: $is('camp_codes') }, 'camp_codes'],
    ['resource type campaign', { resource_type: $is('campaign') }, 'camp_mate', 'camp_gifts', 'camp_codes'],
    ['resource type tier', { resource_type: $is('promotion_tier') }, 'promo_2', 'promo_1'],
    ['resource type voucher', { resource_type: $is('voucher') }, 'CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN'],
    ['all but one resource type', { resource_type: { conditions: { $is_not: ['voucher'] } } }, ...everything.slice(5)],
    [
      'all but some resource types',
      { resource_type: { conditions: { $not_in: ['voucher', 'campaign'] } } },
      'promo_2',
      'promo_1',
    ],
    ['voucher type', { voucher_type: $is('LOYALTY_CARD') }, 'CARD'],
    ["voucher type, also of a campaign's codes", { voucher_type: $is('GIFT_VOUCHER') }, 'GIFT', 'camp_gifts'],
    ['code', { code: $is('OPEN') }, 'OPEN'],
    ['a code', { code: { conditions: { $has_value: true } } }, 'CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN'],
    ['owner', { holder_role: $is('OWNER') }, 'CARD', 'GIFT', 'CODE'],
    ['referee', { holder_role: $is('REFEREE') }, 'MATE-EVE'],
    ['referrer, who may not use their own code', { holder_role: $is('REFERRER') }],
    ['nobody’s', { holder_role: { conditions: { $is_unknown: true } } }, ...everything.slice(4)],
    ['both of two', { resource_type: $is('voucher'), category_id: $is('cat_a') }, 'CODE'],
    [
      'both of two, explicitly',
      { junction: 'and', resource_type: $is('campaign'), category_id: $is('cat_a') },
      'camp_codes',
    ],
    [
      'one of two',
      { junction: 'or', resource_type: $is('promotion_tier'), code: $is('GIFT') },
      'GIFT',
      'promo_2',
      'promo_1',
    ],
    [
      'both of two that exclude each other',
      { junction: 'and', resource_type: $is('promotion_tier'), code: $is('GIFT') },
    ],
  ];

  test.each(rows)('by %s', async (_name, filters, ...found) => {
    expect((await askingAda(headers)({}, { options: { filters } })).ids).toEqual(found);
  });

  test('know a voucher as a resource by its id', async () => {
    const { body } = await caller(getVoucher)({ headers, params: { code: 'CODE' } });
    const { ids } = await askingAda(headers)({}, { options: { filters: { resource_id: $is(body.id) } } });
    expect(ids).toEqual(['CODE']);
  });

  test.each([
    ['resource_type', 'promotion_tier'],
    ['campaign_id', 'camp_promo'],
    ['campaign_type', 'PROMOTION'],
  ])('by %s pass over standalone codes, for any number of newer ones', async (field, value) => {
    const codes = Array.from({ length: 60 }, (_, index) => ({
      code: `CODE-${index}`,
      ...coupons,
      created_at: day(20),
    }));
    const { promotion_tiers, categories } = fair;
    const { credentials } = await loadProject({
      campaigns: fair.campaigns.slice(0, 1),
      promotion_tiers,
      categories,
      vouchers: codes,
    });
    const ask = askingAda(credentials);
    for (const filters of [
      { [field]: $is(value) },
      { junction: 'or', [field]: $is(value), holder_role: $is('OWNER') },
    ]) {
      const { ids, body } = await ask({ customer: undefined }, { options: { limit: 2, filters } });
      expect([ids, body.redeemables.has_more]).toEqual([['promo_2', 'promo_1'], false]);
    }
    // A filter that may match standalone codes searches them.
    const { ids } = await ask(
      { customer: undefined },
      { options: { filters: { junction: 'or', [field]: $is(value), code: $is('CODE-7') } } },
    );
    expect(ids).toContain('CODE-7');
  });

  test.each([
    [{ color: $is('red') }, 'color'],
    [{ code: { conditions: { $near: ['OPEN'] } } }, '$near'],
    [{ junction: 'xor', code: $is('OPEN') }, 'junction'],
    [{ code: { conditions: {} } }, 'code'],
  ])('with unknown names are refused: %o', async (filters, place) => {
    const { body } = await askingAda(headers)({}, { options: { filters }, status: 400 });
    expect(body.key).toBe('invalid_payload');
    expect(body.details).toContain(place);
  });
});
