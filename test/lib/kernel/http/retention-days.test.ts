import { expect, test } from 'vitest';
import { readRecordDay } from '#addons/upkeep/retention/archive.ts';
import { explainMissing, findRetentionStart } from '#kernel/access/projects/retention.ts';
import { inTimezone } from '#kernel/core/local-time.ts';

const project = { retention: { orders: 3 } };
// It is 20 October in Tokyo and 19 October in New York.
const now = new Date('2026-10-19T20:00:00Z');

test.each([
  ['UTC', '2026-07-19T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-07-19T15:00:00.000Z'],
  ['America/New_York', '2026-07-19T04:00:00.000Z'],
])('a project in %s keeps whole days of its own zone', (zone, first) => {
  const here = inTimezone(now, zone);
  expect(findRetentionStart(project, 'orders', here)?.toISOString()).toBe(first);
  const [kept, removed] = [new Date(first), new Date(Date.parse(first) - 1)];
  expect(explainMissing(project, 'orders', kept, here)).toBeUndefined();
  expect(explainMissing(project, 'orders', removed, here)).toContain('3 months');
});

test.each([
  ['UTC', '2026-07-19'],
  ['Asia/Tokyo', '2026-07-20'],
  ['America/New_York', '2026-07-19'],
])('an archive of a project in %s has the record under its day there', (zone, day) => {
  expect(readRecordDay({ created_at: '2026-07-19T20:00:00.000Z' }, zone)).toBe(day);
});
