import { expect, test } from 'vitest';
import { checkMetadata } from '../../../../lib/loyalty/events/event-schema.ts';

const many = <T>(count: number, value: T, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));

test('a body of 100,000 unknown keys is checked against an event of 100,000 keys without comparing all pairs', () => {
  const definition = many(100_000, 'string' as const, (index) => `known key ${index}`);
  const metadata = many(100_000, 1, (index) => `key ${index}`);
  const startedAt = performance.now();
  expect(() => checkMetadata(definition, metadata)).toThrow();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
