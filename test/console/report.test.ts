import { describe, expect, test } from 'vitest';
import { listMonths } from '../../console/core/month-choice.ts';
import {
  drawNames,
  drawTime,
  listColumns,
  listFigures,
  type Row,
  subjectOf,
  sumColumns,
} from '../../console/core/report.ts';

const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

describe('the columns of a report', () => {
  test('have the unit of their name, and those without any value are left out', () => {
    const rows = [
      { code: null, discount_minor: 5, busiest_from_ms: 7, uses: 1, name: null },
      { code: 'A', discount_minor: null, busiest_from_ms: null, uses: 2, name: null },
    ];
    expect(listColumns(rows)).toEqual([
      { name: 'code', unit: 'text' },
      { name: 'discount_minor', unit: 'money' },
      { name: 'busiest_from_ms', unit: 'moment' },
      { name: 'uses', unit: 'count' },
    ]);
    expect(listColumns([])).toEqual([]);
  });
});

const day = (at: string, campaign: string, earned: number, outstanding: number): Row => ({
  day: at,
  campaign_id: campaign,
  earned_points: earned,
  outstanding_points: outstanding,
});

describe('the picture of a report', () => {
  test('has every day of the range, and keeps a balance on days without a row', () => {
    const rows = [day('2026-11-02', 'a', 5, 5), day('2026-11-04', 'a', -2, 3)];
    const range = { from: '2026-11-01', to: '2026-11-05' };
    expect(drawTime(rows, 'earned_points', range).map(({ value }) => value)).toEqual([0, 5, 0, -2, 0]);
    expect(drawTime(rows, 'outstanding_points', range)).toEqual([
      { label: '2026-11-02', value: 5 },
      { label: '2026-11-03', value: 5 },
      { label: '2026-11-04', value: 3 },
      { label: '2026-11-05', value: 3 },
    ]);
  });

  test('adds up days to months in a long range, and takes a balance from the last day of a month', () => {
    const rows = [day('2026-01-30', 'a', 5, 5), day('2026-01-31', 'a', 4, 9), day('2026-03-01', 'a', 1, 10)];
    const range = { from: '2026-01-01', to: '2026-05-01' };
    expect(drawTime(rows, 'earned_points', range).map(({ value }) => value)).toEqual([9, 0, 1, 0, 0]);
    expect(drawTime(rows, 'outstanding_points', range).map(({ value }) => value)).toEqual([9, 9, 10, 10, 10]);
  });

  test('never adds up balances of several programmes, or customers of several months', () => {
    const rows = [day('2026-11-02', 'a', 5, 5), day('2026-11-02', 'b', 1, 7)];
    expect(names(listFigures(rows))).toEqual(['earned_points']);
    expect(names(listFigures(rows.slice(1)))).toEqual(['earned_points', 'outstanding_points']);
    const cohorts = ['2026-09', '2026-10'].map((cohort) => ({ cohort, month: '2026-11', customers: 5, uses: 2 }));
    expect(names(listFigures(cohorts))).toEqual(['uses']);
    expect(drawTime(cohorts, 'uses')).toEqual([{ label: '2026-11', value: 4 }]);
  });

  test('shows the names with the greatest figures, and rows without a name too', () => {
    const rows = Array.from({ length: 20 }, (_, uses) => ({ group_key: uses === 19 ? null : `camp_${uses}`, uses }));
    const points = drawNames(rows, 'uses', (row) => subjectOf(row) ?? 'without');
    expect(points).toHaveLength(12);
    expect(points.slice(0, 2)).toEqual([
      { label: 'without', value: 19 },
      { label: 'camp_18', value: 18 },
    ]);
  });
});

describe('the sums under a report', () => {
  test('add up figures of all rows, and leave out balances, people and orders that several rows count', () => {
    const points = [day('2026-11-02', 'a', 5, 5), day('2026-11-03', 'a', -2, 3)];
    expect([...sumColumns(points)]).toEqual([['earned_points', 3]]);
    const campaigns = [
      { group_key: 'a', uses: 2, discount_minor: 50, orders: 1, customers: 4 },
      { group_key: 'b', uses: 1, discount_minor: 25, orders: 1, customers: 4 },
    ];
    expect([...sumColumns(campaigns)]).toEqual([
      ['uses', 3],
      ['discount_minor', 75],
    ]);
  });
});

describe('the months to choose from', () => {
  test('are whole months of the zone, the present one first, across the end of a year', () => {
    const midnight = Date.parse('2026-12-31T23:30:00.000Z');
    const keys = (zone: string) => listMonths(midnight, zone, 3).map(({ key }) => key);
    expect(keys('UTC')).toEqual(['2026-12', '2026-11', '2026-10']);
    expect(keys('Europe/Oslo')).toEqual(['2027-01', '2026-12', '2026-11']);
    const february = listMonths(Date.parse('2028-03-01T12:00:00.000Z'), 'UTC', 2)[1];
    expect(february).toMatchObject({ first: '2028-02-01', last: '2028-02-29', end: '2028-03-01' });
  });
});
