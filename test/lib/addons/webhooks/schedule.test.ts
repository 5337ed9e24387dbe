import { expect, test } from 'vitest';
import { failuresToOpen, openUntil } from '#addons/webhooks/schedule.ts';
import { seeded } from '../../../support/seeded.ts';

const now = new Date('2026-11-27T12:00:00Z');
const afterProbes = (probes: number) => openUntil({ failures: failuresToOpen + probes, probes }, now)?.toISOString();

test('a target that fails half of the time is never taken for ill, in 100,000 requests', () => {
  const random = seeded(35);
  let failures = 0;
  let isIll = false;
  for (let request = 0; request < 100_000; request++) {
    failures = random(2) === 0 ? failures + 1 : 0;
    isIll ||= openUntil({ failures, probes: 0 }, now) !== undefined;
  }
  expect(isIll).toBe(false);
});

test('an ill target gets a request after one, two, four and eight minutes', () => {
  expect(openUntil({ failures: failuresToOpen - 1, probes: 0 }, now)).toBeUndefined();
  expect([0, 1, 2, 3, 4].map(afterProbes)).toEqual(
    ['01', '02', '04', '08', '08'].map((minute) => `2026-11-27T12:${minute}:00.000Z`),
  );
});

test('requests that fail after the target fell ill make no wait longer', () => {
  expect(openUntil({ failures: failuresToOpen + 7, probes: 0 }, now)).toEqual(new Date('2026-11-27T12:01:00Z'));
});
