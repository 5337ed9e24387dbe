import { expect, test } from 'vitest';
import { inheritValidity, type Validity } from '#engine/rules/validity/validity.ts';

const rows = (prefix: string): Required<Validity> => ({
  start_date: `${prefix}-01-01T00:00:00.000Z`,
  expiration_date: `${prefix}-12-31T00:00:00.000Z`,
  validity_timeframe: { interval: `P${prefix}D`, duration: 'P1D' },
  validity_day_of_week: [Number(prefix) % 7],
  validity_hours: { daily: [{ start_time: '10:00', days_of_week: [Number(prefix) % 7] }] },
});

const own = rows('2026');
const given = rows('2027');
const campaign = rows('2028');

test.each(Object.keys(own) as (keyof Validity)[])(
  "a voucher takes %s from itself, else from its campaign's voucher part, else from the campaign",
  (field) => {
    expect(inheritValidity(own, { ...campaign, voucher: given })[field]).toEqual(own[field]);
    expect(inheritValidity({ ...own, [field]: null }, { ...campaign, voucher: given })[field]).toEqual(given[field]);
    expect(inheritValidity({}, { ...campaign, voucher: {} })[field]).toEqual(campaign[field]);
    expect(inheritValidity({}, campaign)[field]).toEqual(campaign[field]);
    expect(inheritValidity({}, { voucher: given })[field]).toEqual(given[field]);
    expect(inheritValidity({}, undefined)[field]).toBeNull();
  },
);
