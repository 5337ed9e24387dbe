import type { Measurement } from './benchmark.ts';
import type { Comparison } from './compare.ts';

/** A comparison as it is shown; above `maxRatio` a limit is broken. */
export function rowOf(
  name: string,
  { ours, floor, ratio, ...cost }: Comparison,
  maxRatio: number | undefined,
): Measurement {
  const isBroken = maxRatio !== undefined && ratio !== undefined && ratio.median > maxRatio;
  return {
    name,
    values: {
      'p50 ms': ours.p50.toFixed(2),
      'p99 ms': ours.p99.toFixed(2),
      ...(ratio
        ? {
            'floor p50': floor.p50.toFixed(2),
            'floor p99': floor.p99.toFixed(2),
            ratio: ratio.median.toFixed(2),
            'of rounds': `${ratio.least.toFixed(2)}-${ratio.most.toFixed(2)}`,
          }
        : {}),
      limit: maxRatio?.toFixed(2) ?? '',
      calls: String(cost.calls),
      'read units': String(cost.readUnits),
      'write units': String(cost.writeUnits),
    },
    broken: isBroken ? [`ratio above ${maxRatio}`] : [],
  };
}
