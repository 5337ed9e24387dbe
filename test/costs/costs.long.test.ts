import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { deployed } from '../support/stack.ts';
import { assumptions } from './assumptions.ts';
import { lambdaCost, millionCalls } from './model.ts';
import { readPage, writePage } from './page.ts';
import { cost, prices } from './prices.ts';
import { mix, shopMonth } from './shops.ts';
import { countsIn, isTraced, standingOf } from './standing.ts';
import { tillCalls } from './till-calls.ts';

const text = await readFile(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');
const page = readPage(text);

/** Returns the cells of the first row that begins like this. */
function cellsOf(beginning: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${beginning}`));
  return line?.slice(2, -2).split(' | ') ?? [];
}

const number = (cell = '') => Number(cell.replaceAll(/[,*]/g, ''));

test('docs/costs.md has every operation once, and no other: npm run costs -- OPERATION adds one', () => {
  expect(page.operations.map(({ name }) => name)).toEqual(operations.map(({ name }) => name).toSorted());
});

test('docs/costs.md has the measured calls of the till', () => {
  expect(page.tills.map(({ name, operation }) => ({ name, operation }))).toEqual(
    tillCalls.map(({ name, operation }) => ({ name, operation })),
  );
});

test('every call of the mix is one that is measured', () => {
  expect(mix.filter(({ till }) => !tillCalls.some(({ name }) => name === till))).toEqual([]);
});

test.each(Object.entries(prices))('docs/costs.md has the price %s', (name, { dollars, unit }) => {
  expect(cellsOf(`${name} |`)).toEqual([name, String(dollars), unit]);
});

test.each(Object.entries(assumptions))('docs/costs.md has the assumption %s', (name, { value, words }) => {
  expect(cellsOf(`${name} |`)).toEqual([name, String(value), words]);
});

test('all dollars of docs/costs.md follow from its own figures: npm run costs -- --calculate-only', () => {
  expect(writePage(page)).toBe(text);
});

test.each(['standard', 'full'] as const)(
  'docs/costs.md counts what the template of a stage prod has with monitoring %s: npm run costs -- --calculate-only',
  (size) => {
    const { template } = deployed(size);
    expect(page.counts[size]).toEqual(countsIn(template));
    expect(isTraced(template)).toBe(size === 'full');
  },
);

test('a stage prod that is not called costs at most 3 dollars a month, and a shop of 10,000 redemptions at most 6', () => {
  const standing = number(cellsOf('**total without calls**')[2]);
  expect(standing).toBeGreaterThan(0);
  expect(standing).toBeLessThanOrEqual(3);
  const [small] = cellsOf('**total $**').slice(1).map(number);
  expect(small).toBeGreaterThan(standing);
  expect(small).toBeLessThanOrEqual(6);
});

test('each total of a million calls is the sum of the dollars in its row', () => {
  const rows = text
    .split('\n')
    .filter((line) => /^\| .*\d\.\d\d \|$/.test(line) && /\| \d+ \| \d+ \| \d+ \| /.test(line));
  expect(rows.length).toBe(operations.length + tillCalls.length);
  for (const row of rows) {
    const dollars = row.slice(2, -2).split(' | ').slice(-6).map(number);
    const parts = dollars.slice(0, -1).reduce((all, one) => all + one, 0);
    expect(dollars.at(-1)).toBeCloseTo(parts, 2);
  }
});

test('the total of each shop is the sum of the lines above it', () => {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith('| gateway |'));
  const to = lines.findIndex((line) => line.startsWith('| **total $**'));
  for (const shop of [1, 2, 3]) {
    const column = (line = '') => number(line.slice(2, -2).split(' | ')[shop]);
    const sum = lines.slice(from, to).reduce((all, line) => all + column(line), 0);
    expect(column(lines[to])).toBeCloseTo(sum, 2);
  }
});

test('a million calls of 3 read and 2 write units in 2 rounds cost what was worked out by hand', () => {
  const figures = { replyBytes: 1_600, logBytes: 300, rounds: 2, calls: 2, readUnits: 3, writeUnits: 2 };
  // 2 x 5 ms, and 2 + 2 x 1.5 ms of a core of which 512 MB have 0.289: 27 ms. Lambda: $0.20, and 0.5 GB for 0.035 s: $0.23.
  expect(millionCalls({ memoryMb: 512, ...figures })).toEqual({
    ms: 27,
    gateway: 1,
    lambda: 0.43,
    // 3 x $0.125 and 2 x $0.625, which is $1.625.
    table: 1.63,
    // 1.2 GB at $0.50.
    logs: 0.6,
    // 2 GB at $0.09.
    out: 0.18,
    total: 3.84,
  });
});

test('a price of a million counts by the million, and any other by the unit', () => {
  expect([cost('writeUnit', 2_000_000), cost('tableStorage', 3), cost('dashboard', 2)]).toEqual([1.25, 0.75, 6]);
  expect(lambdaCost(1_000_000, 1_024, 1_000)).toBeCloseTo(0.2 + 13.3334, 4);
});

test('what stands costs by its count', () => {
  const [first] = standingOf({ ...page.counts.standard, alarms: 40 }).parts;
  expect(first).toMatchObject({ count: 40, month: 4 });
  // 43,800 runs: $0.0088 for calls, $0.073 for 1 GB during 0.125 s, $0.0438 for 8 read units each, $0.011 for 22 MB of log.
  const minutely = standingOf(page.counts.standard).parts.find(({ words }) =>
    words.includes('each minute for deliveries'),
  );
  expect(minutely).toMatchObject({ count: 1, month: 0.14 });
});

test('a shop that sells nothing pays what stands', () => {
  const stage = { standing: 29.5, metrics: 0.6, areTraced: false };
  expect(shopMonth(0, page.tills, stage)).toMatchObject({ calls: 0, total: 29.5, withDistribution: 37.5 });
});

test('a shop of a hundred times the redemptions makes a hundred times the calls, and pays the same for what stands', () => {
  const stage = { standing: 30, metrics: 0.6, areTraced: false };
  const months = [10_000, 1_000_000].map((redemptions) => shopMonth(redemptions, page.tills, stage));
  expect(months.map(({ calls }) => Math.round(calls))).toEqual([105_000, 10_500_000]);
  const lines = months.map((month) => new Map(month.lines.map(({ words, dollars }) => [words, dollars])));
  expect(lines[1]?.get('gateway')).toBe(10.5);
  expect(lines.map((one) => one.get('what the stage costs without calls'))).toEqual([30, 30]);
});
