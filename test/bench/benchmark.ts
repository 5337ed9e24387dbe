/** One row of the printed table. */
export interface Measurement {
  name: string;
  /** Measured values by column heading, with units. They are printed unchanged. */
  values: Readonly<Record<string, string>>;
  /** Broken limits, in words. The list is empty if all hold. */
  broken: readonly string[];
}

/** True for figures that are to be kept. `BENCH_LONG=1` measures everything in more turns, for an hour. */
export const isLong = Boolean(process.env.BENCH_LONG);

/**
 * True for a run that only shows that everything can be measured. `BENCH_ONCE=1` measures each subject in one turn, on
 * small sizes, without limits.
 */
export const isTrial = Boolean(process.env.BENCH_ONCE);

/** Returns the size of this run. */
export function sizeOf<T>({ trial, usual, long = usual }: { trial: T; usual: T; long?: T }): T {
  return isTrial ? trial : isLong ? long : usual;
}

/** The patience of clients. Measurements on a busy machine also count, and their figures show it. */
export const patience = { connectionTimeoutInMs: 60_000, replyTimeoutInMs: 60_000 };

export interface Places {
  /** The benchmark's own folder, removed afterwards. */
  workDir: string;
  /** The folder of the bundles that all cases of a run share. */
  bundlesDir: string;
}

/** The export `benchmark` of each file in `cases/`. */
export interface Benchmark {
  title: string;
  /** `tell` prints a row right after its measurement. */
  measure: (places: Places, tell: (row: Measurement) => void) => Promise<Measurement[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('no values, no median');
  return (low + high) / 2;
}

/** Returns the value below which this share lies: 0.99 gives the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
  if (value === undefined) throw new Error('no values, no percentile');
  return value;
}
