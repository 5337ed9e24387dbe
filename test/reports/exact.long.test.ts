import { describe, expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { addDays } from '#kernel/core/calendar.ts';
import type { ReportRow } from '#kernel/core/reports.ts';
import { fillStore } from '../../infra/local/facts/keep-facts.ts';
import { seeded } from '../support/seeded.ts';
import {
  countHeldPoints,
  groups,
  sumCohorts,
  sumMoves,
  sumOrders,
  sumPending,
  sumPoints,
  sumPublications,
  sumRedemptions,
  timezone,
} from './recalculate.ts';
import { countBursts, countMembers, listDiscounts, sumExpiring } from './recalculate-more.ts';
import { lists, play } from './story.ts';
import { noFault, openStore, openWorld } from './world.ts';

const isLong = process.env.LONG_TESTS !== undefined;
const seeds = isLong ? [1, 2, 3] : [1];
const steps = isLong ? 150 : 80;

const parameters = {
  from_ms: 0n,
  to_ms: BigInt(Date.UTC(2100, 0)),
  from_day: '1970-01-01',
  range_days: 1_000n,
  ahead_days: 7n,
  budget_minor: 50_000n,
  timezone,
  campaign_id: null,
  order: 'group',
  most: 100_000n,
  offset: 0n,
};

/** Leaves out what is 0, because a plain sum has no such figure. */
function figuresOf(row: ReportRow): Record<string, number> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (typeof value === 'number' && value !== 0 ? [[name, value]] : [])),
  );
}

const withoutZero = (all: Map<string, Record<string, number>>) =>
  Object.fromEntries(
    [...all].map(([key, row]) => [key, figuresOf(row)] as const).filter(([, row]) => Object.keys(row).length > 0),
  );

/** Forecasts a budget from the discount of each day. */
function forecast(discounts: readonly number[], ahead: number, budget: number) {
  const sum = discounts.reduce((total, one) => total + one, 0);
  const mean = sum / discounts.length;
  const variance = discounts.reduce((total, one) => total + (one - mean) ** 2, 0) / (discounts.length - 1);
  return {
    discount_minor: sum,
    discount_per_day_minor: Math.round(mean),
    forecast_minor: Math.round(sum + mean * ahead),
    forecast_error_minor: Math.round(1.96 * Math.sqrt(variance * ahead * (1 + ahead / discounts.length))),
    left_minor: budget - sum,
    left_days: mean > 0 ? Math.floor(Math.max(budget - sum, 0) / mean) : null,
  };
}

describe.each(seeds)('after random story %i, with repeated, late and unordered deliveries and two kills', (seed) => {
  test('each report equals the recalculation from ledgers and records', async () => {
    const below = seeded(seed);
    const world = await openWorld(lists);
    const { succeeded, books } = await play(world, below, steps);
    expect(succeeded).toBeGreaterThan(steps / 4);
    const facts = findFacts(await world.changes(), noFault);
    const unordered = [...facts, ...facts.filter(() => below(3) === 0)]
      .map((fact) => ({ fact, at: below(1_000_000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ fact }) => fact);
    // A store that is opened on the folder of another one begins as after a kill.
    const first = await openStore();
    let { store } = first;
    for (let from = 0; from < unordered.length; from += 40) {
      await store.keep(unordered.slice(from, from + 40));
      if (below(4) === 0) await store.pack();
      if (below(6) === 0) ({ store } = await openStore(first.path));
    }
    // Facts of the table's items join facts of the stream.
    await fillStore(store, world.dependencies, first.path, { note: noFault, isTimeUp: () => false });
    const rowsOf = (name: string, by = 'day') =>
      store.query({ name, projectId: world.id, days: { all: {} }, parameters: { ...parameters, by } });

    for (const [by, groupOf] of Object.entries(groups)) {
      const rows = await rowsOf('redemptions', by);
      const got = new Map(rows.map((row) => [String(row.group_key ?? ''), figuresOf(row)]));
      expect(withoutZero(got), by).toEqual(withoutZero(await sumRedemptions(world, books, groupOf)));
    }

    const points = await rowsOf('points');
    const moved = new Map(
      points.map(({ day, campaign_id, opened_points: _o, deleted_points: _d, outstanding_points: _s, ...row }) => [
        `${day} ${campaign_id}`,
        figuresOf(row),
      ]),
    );
    expect(withoutZero(moved)).toEqual(withoutZero(await sumPoints(world)));
    const outstanding = points.filter(({ campaign_id }) => campaign_id === 'camp_club').at(-1)?.outstanding_points;
    expect(outstanding).toBe(await countHeldPoints(world, 'camp_club'));
    const expiring = (await rowsOf('expiry')).map(
      ({ expires_in, campaign_id, outstanding_points: points }) =>
        [`${expires_in ?? 'never'} ${campaign_id}`, points] as const,
    );
    expect(Object.fromEntries(expiring)).toEqual(Object.fromEntries(await sumExpiring(world)));
    expect(expiring.length).toBeGreaterThan(2);
    const orders = new Map((await rowsOf('orders')).map((row) => [String(row.day), figuresOf(row)]));
    expect(withoutZero(orders)).toEqual(withoutZero(await sumOrders(world)));

    const published = (await rowsOf('publications')).map(
      ({ campaign_id, discount_minor: _, ...row }) => [String(campaign_id ?? ''), figuresOf(row)] as const,
    );
    expect(withoutZero(new Map(published))).toEqual(withoutZero(await sumPublications(world)));

    const pending = (await rowsOf('pending')).filter(({ day }) => day !== '1970-01-01');
    const ofPending = pending.map(({ day, campaign_id, ...row }) => [`${day} ${campaign_id}`, figuresOf(row)] as const);
    expect(withoutZero(new Map(ofPending))).toEqual(withoutZero(await sumPending(world)));

    const cohorts = (await rowsOf('cohorts')).map(
      ({ cohort, month, customers: _c, discount_minor: _, ...row }) => [`${cohort} ${month}`, figuresOf(row)] as const,
    );
    expect(withoutZero(new Map(cohorts))).toEqual(withoutZero(await sumCohorts(world)));

    const bursts = (await rowsOf('bursts')).map(
      ({ code, redemptions, failures, customers, busiest_redemptions: busiest }) =>
        [code, { redemptions, failures, customers, busiest }] as const,
    );
    expect(Object.fromEntries(bursts)).toEqual(Object.fromEntries(await countBursts(world)));

    const members = (await rowsOf('members')).map(({ tier_id, members }) => [tier_id, members] as const);
    const last = [...new Map(members)].filter(([, count]) => count !== 0);
    expect(Object.fromEntries(last)).toEqual(Object.fromEntries(await countMembers(world)));

    const days = Array.from({ length: 1_000 }, (_, index) => addDays('2026-01-01', index));
    const discounts = listDiscounts(books, days);
    const budgets = await rowsOf('budget');
    expect(budgets.map(({ campaign_id }) => String(campaign_id ?? '')).sort()).toEqual([...discounts.keys()].sort());
    for (const { campaign_id, name: _, days: _d, ...row } of budgets) {
      expect(row, String(campaign_id)).toEqual(forecast(discounts.get(String(campaign_id ?? '')) ?? [], 7, 50_000));
    }

    const moves = (await rowsOf('tiers')).map(
      ({ day, tier_id, ...row }) => [`${day} ${tier_id}`, figuresOf(row)] as const,
    );
    expect(withoutZero(new Map(moves))).toEqual(withoutZero(await sumMoves(world)));
  });
});
