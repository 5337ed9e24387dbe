import type { Validity } from '#engine/rules/validity/validity.ts';

interface State {
  fields: Validity & { active?: boolean };
  key: string;
}

/** States in which a campaign cannot be used at the tests' time, Monday 2026-06-15 12:00 UTC. */
const states = {
  OFF: { fields: { active: false }, key: 'campaign_not_active' },
  FUTURE: { fields: { start_date: '2035-01-01T00:00:00Z' }, key: 'voucher_not_active' },
  OVER: { fields: { expiration_date: '2026-06-15T11:59:59.999Z' }, key: 'voucher_expired' },
  PAUSED: {
    fields: { start_date: '2026-06-08T00:00:00Z', validity_timeframe: { interval: 'P3D', duration: 'P1D' } },
    key: 'voucher_not_active_now',
  },
  TUESDAYS: { fields: { validity_day_of_week: [2] }, key: 'voucher_not_active_now' },
  EVENINGS: {
    fields: { validity_hours: { daily: [{ start_time: '18:00', expiration_time: '02:00' }] } },
    key: 'voucher_not_active_now',
  },
} satisfies Record<string, State>;

export const unusable: Readonly<Record<keyof typeof states, State>> = states;

export const unusableNames = Object.keys(states) as (keyof typeof states)[];
