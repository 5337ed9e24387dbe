import type { Measurement } from './benchmark.ts';
import { type Comparison, judged } from './compare.ts';

export interface Limits {
  readonly maxRatio?: number;
  readonly maxTrips?: number;
  readonly maxCpuRatio?: number;
}

/** Returns the printed row of a comparison, with its broken limits. */
export function rowOf(
  name: string,
  { ours, floor, ratio, ...cost }: Comparison,
  { maxRatio, maxTrips, maxCpuRatio }: Limits,
): Measurement {
  const limits = [
    ['ratio', ratio?.median ?? 0, maxRatio],
    ['round trips', cost.trips, maxTrips],
    ['times the processor time of the floor', cost.cpuMs / cost.floorCpuMs, maxCpuRatio],
  ] as const;
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
      trips: String(cost.trips),
      'cpu ms': cost.cpuMs.toFixed(2),
      'floor cpu': cost.floorCpuMs.toFixed(2),
      'read units': String(cost.readUnits),
      'write units': String(cost.writeUnits),
    },
    broken: [
      ...limits.flatMap(([what, is, most]) => (most !== undefined && is > most ? [`${what} above ${most}`] : [])),
      ...(ratio && ratio.rounds === judged.rounds && ratio.most < 1 ? ['the floor is slower'] : []),
    ],
  };
}
