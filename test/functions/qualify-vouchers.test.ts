import { describe, expect, test } from 'vitest';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { couponCampaign } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';
import { asking, day, off, shop, tiers } from '../support/qualifying.ts';

describe('vouchers', () => {
  const coupon = (code: string, number: number, more: Record<string, unknown> = {}) => ({
    code,
    type: 'DISCOUNT_VOUCHER',
    discount: off(number * 10),
    created_at: day(number),
    ...more,
  });

  test("of the customer, vouchers of nobody, and campaigns that give some qualify; other customers' vouchers do not", async () => {
    const ask = await shop({
      customers: [{ id: 'cust_1', source_id: 'ada' }, { id: 'cust_2' }],
      campaigns: [couponCampaign('camp_codes', 'Codes', off(5), { created_at: day(1) })],
      vouchers: [
        coupon('OPEN', 2),
        coupon('MINE', 3, { campaign_id: 'camp_codes', discount: undefined, holder_id: 'cust_1' }),
        coupon('THEIRS', 4, { holder_id: 'cust_2' }),
        coupon('OF-CAMPAIGN', 5, { campaign_id: 'camp_codes' }),
        coupon('OFF', 6, { active: false }),
        { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, holder_id: 'cust_1', created_at: day(7) },
        { code: 'EMPTY', type: 'GIFT_VOUCHER', gift: { amount: 0 }, holder_id: 'cust_1', created_at: day(8) },
      ],
    });
    const customer = { source_id: 'ada' };
    const { body, ids } = await ask({ customer });
    expect(ids).toEqual(['GIFT', 'MINE', 'OPEN', 'camp_codes']);
    expect(body.redeemables.data.map(({ object }: { object: string }) => object)).toEqual([
      ...['voucher', 'voucher', 'voucher', 'campaign'],
    ]);
    expect(body.redeemables.data[0].result).toEqual({ gift: { balance: 300, credits: 300 } });
    expect((await ask({ customer, scenario: 'CUSTOMER_WALLET' })).ids).toEqual(['GIFT', 'MINE']);
    expect((await ask({ scenario: 'CUSTOMER_WALLET' })).ids).toEqual([]);
    const best = await ask({ customer, options: { sorting_rule: 'BEST_DEAL', limit: 2 } });
    expect([best.ids, best.body.redeemables.has_more]).toEqual([['GIFT', 'OPEN'], true]);
    expect((await ask({ customer, options: { sorting_rule: 'LEAST_DEAL' } })).ids).toEqual([
      ...['MINE', 'camp_codes', 'OPEN', 'GIFT'],
    ]);
    const owned = {
      holder_role: { conditions: { $is: ['OWNER'] } },
      voucher_type: { conditions: { $is: ['DISCOUNT_VOUCHER'] } },
    };
    expect((await ask({ customer, options: { filters: owned } })).ids).toEqual(['MINE']);
  });

  test('of one time follow each other page by page, and none is lost or shown twice, though many do not qualify', async () => {
    const codes = Array.from({ length: 70 }, (_, index) => `CODE-${String(index).padStart(2, '0')}`);
    const ask = await shop({
      vouchers: codes.map((code, index) =>
        coupon(code, 1, index % 10 === 0 ? {} : { expiration_date: '2020-01-01T00:00:00Z' }),
      ),
      promotion_tiers: tiers(1, 2),
    });
    const found: string[] = [];
    let from: string | undefined;
    for (let pages = 0; pages < 30; pages++) {
      const { body, ids } = await ask({ options: { limit: 2, ...(from ? { starting_after: from } : {}) } });
      found.push(...ids);
      from = body.redeemables.more_starting_after;
      if (!body.redeemables.has_more) break;
    }
    const open = codes.filter((_, index) => index % 10 === 0);
    expect(found.toSorted()).toEqual([...open, 'promo_1', 'promo_2']);
    expect(found[0]).toBe('promo_2');
    expect(found.at(-1)).toBe('promo_1');
  });

  test.each([
    ['used up', 60],
    ['of use', 0],
  ])('of a customer are sorted by age among open ones in pages, with the newest %s', async (_, spent) => {
    const time = (minute: number) => new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString();
    const codes = Array.from({ length: 90 }, (_, minute) =>
      coupon(`CODE-${minute}`, 1, {
        created_at: time(minute),
        ...(minute % 3 > 0 ? { holder_id: 'cust_1' } : {}),
        ...(minute >= 90 - spent ? { expiration_date: '2020-01-01T00:00:00Z' } : {}),
      }),
    );
    const { credentials: headers } = await loadProject({
      campaigns: [{ id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      vouchers: [...codes, coupon('GIVEN', 1, { campaign_id: 'camp_codes', created_at: time(0) })],
    });
    const customer = { source_id: 'ada' };
    // The last voucher that the customer got is the oldest.
    const given = await caller(publish)({ headers, body: { customer, voucher: 'GIVEN' } });
    expect(given.status).toBe(200);
    const pages: string[][] = [];
    let from: string | undefined;
    do {
      const options = { limit: 7, ...(from ? { starting_after: from } : {}) };
      const { body, ids } = await asking(headers)({ customer, options });
      pages.push(ids);
      from = body.redeemables.more_starting_after;
    } while (from && pages.length < 30);
    const open = codes.slice(0, 90 - spent).map(({ code }) => code);
    const [campaign, ...shown] = pages.flat();
    expect(campaign).toBe('camp_codes');
    expect(shown.slice(0, -2)).toEqual(open.slice(1).reverse());
    expect(shown.slice(-2).sort()).toEqual(['CODE-0', 'GIVEN']);
    expect(pages.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });
});
