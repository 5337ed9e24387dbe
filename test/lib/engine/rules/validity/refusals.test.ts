import { describe, expect, test } from 'vitest';
import {
  findTierRefusal,
  findVoucherRefusal,
  type OfCampaign,
  type UsableCampaign,
  voucherRefusalKeys,
} from '#engine/rules/validity/refusals.ts';
import { testTime as now } from '../../../../support/dependencies.ts';
import { unusable } from '../../../../support/unusable.ts';

const past = '2026-06-01T00:00:00.000Z';
const future = '2026-07-01T00:00:00.000Z';
const time = now.toISOString();
/** Timeframes whose first period includes the present, and others. */
const inFrame = { start_date: '2026-06-15T00:00:00.000Z', validity_timeframe: { interval: 'P2D', duration: 'P1D' } };
const outOfFrame = { ...inFrame, start_date: '2026-06-14T00:00:00.000Z' };
const { TUESDAYS, EVENINGS } = unusable;

const on: UsableCampaign = { active: true };

describe('whether a voucher can be used', () => {
  test.each<[string, OfCampaign, UsableCampaign | undefined, string | undefined]>([
    ['without a campaign', { active: true }, undefined, undefined],
    ['never switched', {}, on, undefined],
    ['with null everywhere', { active: null, start_date: null, validity_timeframe: null }, on, undefined],
    ['without its campaign, which was deleted', { campaign_id: 'camp' }, undefined, 'not_found'],
    ['switched off', { active: false }, on, 'voucher_disabled'],
    ['of a disabled campaign', {}, { active: false }, 'campaign_not_active'],
    ['at its very start', { start_date: time }, on, undefined],
    ['before its start', { start_date: future }, on, 'voucher_not_active'],
    ["before its campaign's start", {}, { start_date: future }, 'voucher_not_active'],
    [
      "before its campaign's start, though after its own",
      { start_date: past },
      { start_date: future },
      'voucher_not_active',
    ],
    [
      'before the start that its campaign gives vouchers',
      {},
      { voucher: { start_date: future } },
      'voucher_not_active',
    ],
    [
      'after its own start, which replaces that one',
      { start_date: past },
      { voucher: { start_date: future } },
      undefined,
    ],
    ['at its very end', { expiration_date: time }, on, undefined],
    ['after its end', { expiration_date: past }, on, 'voucher_expired'],
    ["after its campaign's end", {}, { expiration_date: past }, 'voucher_expired'],
    [
      "after its campaign's end, though before its own",
      { expiration_date: future },
      { expiration_date: past },
      'voucher_expired',
    ],
    ['after the end that its campaign gives vouchers', {}, { voucher: { expiration_date: past } }, 'voucher_expired'],
    ['in its timeframe', inFrame, on, undefined],
    ['out of its timeframe', outOfFrame, on, 'voucher_not_active_now'],
    ["out of its campaign's timeframe", {}, outOfFrame, 'voucher_not_active_now'],
    ['out of the timeframe that its campaign gives', {}, { voucher: outOfFrame }, 'voucher_not_active_now'],
    [
      "in its campaign's timeframe, which counts from the campaign's start",
      { start_date: outOfFrame.start_date },
      inFrame,
      undefined,
    ],
    [
      "with a timeframe that counts from its campaign's start",
      { validity_timeframe: inFrame.validity_timeframe },
      { start_date: outOfFrame.start_date },
      'voucher_not_active_now',
    ],
    ['with a timeframe without a start', { validity_timeframe: inFrame.validity_timeframe }, on, undefined],
    ['on another day of the week', TUESDAYS.fields, on, 'voucher_not_active_now'],
    [
      "on another day of its campaign's",
      { validity_day_of_week: [1] },
      { validity_day_of_week: [2] },
      'voucher_not_active_now',
    ],
    ['on a day of both', { validity_day_of_week: [1, 2] }, { validity_day_of_week: [1] }, undefined],
    ['at another hour', EVENINGS.fields, on, 'voucher_not_active_now'],
    ["at another hour of its campaign's", {}, EVENINGS.fields, 'voucher_not_active_now'],
  ])('%s', (_, voucher, campaign, key) => expect(findVoucherRefusal(voucher, campaign, now)?.key).toBe(key));

  test('shows the first of its faults, in the order of the keys', () => {
    const faults: [OfCampaign, UsableCampaign | undefined][] = [
      [{ campaign_id: 'camp' }, undefined],
      [{ active: false }, on],
      [{}, { active: false }],
      [{}, { start_date: future }],
      [{ expiration_date: past }, on],
      [{ validity_day_of_week: [2] }, on],
    ];
    for (const [first] of faults.entries()) {
      const [voucher, campaign] = faults
        .slice(first)
        .reduceRight(
          ([own, whose], [more, moreOf]): [OfCampaign, UsableCampaign | undefined] => [
            { ...own, ...more },
            moreOf && whose ? { ...whose, ...moreOf } : moreOf,
          ],
          [{}, on] as [OfCampaign, UsableCampaign | undefined],
        );
      expect(findVoucherRefusal(voucher, campaign, now)?.key).toBe(voucherRefusalKeys[first]);
    }
  });

  test('names the owner of the limit', () => {
    expect(findVoucherRefusal({}, { start_date: future }, now)?.fault).toBe(`can be used from ${future} on`);
    expect(findVoucherRefusal({ start_date: past }, { start_date: future }, now)?.fault).toContain('by its campaign');
  });
});

describe('whether a promotion tier can be used', () => {
  test.each<[string, OfCampaign, UsableCampaign | undefined, string | undefined]>([
    ['on', { active: true, campaign_id: 'camp' }, on, undefined],
    ['without its campaign, which was deleted', { active: true, campaign_id: 'camp' }, undefined, 'not_found'],
    ['switched off', { active: false }, on, 'promotion_inactive'],
    ['of a disabled campaign', {}, { active: false }, 'campaign_not_active'],
    ['before its start', { start_date: future }, on, 'promotion_not_active_now'],
    ["after its campaign's end", {}, { expiration_date: past }, 'promotion_not_active_now'],
    ['on another day of the week', { validity_day_of_week: [2] }, on, 'promotion_not_active_now'],
    ["out of its campaign's timeframe", {}, outOfFrame, 'promotion_not_active_now'],
  ])('%s', (_, tier, campaign, key) => expect(findTierRefusal(tier, campaign, now)?.key).toBe(key));
});
