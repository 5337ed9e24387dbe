import { expect, test } from 'vitest';
import { newTimedId } from '#kernel/core/ids.ts';

test('ids of one moment sort by their creation, after any number of ids before', () => {
  const begin = Date.UTC(2100, 0);
  // More moments than the digits of the order have values, so that their count begins again in one of them.
  const unsorted = Array.from({ length: 36 ** 3 }, (_, index) => new Date(begin + index)).filter((time) => {
    const [first, second] = [newTimedId('redemption', time), newTimedId('redemption', time)] as const;
    return first >= second;
  });
  expect(unsorted).toEqual([]);
});
