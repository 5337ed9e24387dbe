import { expect, test } from 'vitest';
import { checkMetadata } from '#engine/loyalty/events/event-schema.ts';

const many = <T>(count: number, value: T, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));

test('a body of 100,000 unknown keys is checked against an event of 100,000 keys without comparing all pairs', () => {
  const definition = many(100_000, 'string' as const, (index) => `known key ${index}`);
  const metadata = many(100_000, 1, (index) => `key ${index}`);
  // Other processes lengthen no processor time.
  const before = process.cpuUsage();
  expect(() => checkMetadata(definition, metadata)).toThrow();
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});
