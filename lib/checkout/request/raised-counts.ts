import type { Counts } from '../../rules/context.ts';
import { counterKey } from '../../rules/counter.ts';
import type { Key } from '../../table/keys.ts';
import { keyText } from '../../table/keys.ts';
import type { Gathered } from './gather.ts';

/** Returns the counts if one counter were greater. */
export function raiseCounts(
  { request, redeemables }: Pick<Gathered, 'request' | 'redeemables'>,
  key: Key,
  more: number,
): readonly Counts[] {
  const text = keyText(key);
  return redeemables.map(({ judged }) => {
    const isOf = (name: string) => {
      const found = counterKey(request.projectId, name, judged.counted, request.now);
      return found !== undefined && keyText(found) === text;
    };
    const own = Object.entries(judged.counts);
    return Object.fromEntries(own.map(([name, count = 0]) => [name, isOf(name) ? count + more : count]));
  });
}
