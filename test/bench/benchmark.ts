/** One row of the printed table. */
export interface Measurement {
  name: string;
  /** What was measured, by column heading, units included; written as given. */
  values: Readonly<Record<string, string>>;
  /** Broken limits, in words; none when all hold. */
  broken: readonly string[];
}

/** Figures that are to be kept: `BENCH_LONG=1` takes more turns of everything, and more of it, for an hour. */
export const isLong = Boolean(process.env.BENCH_LONG);

export interface Places {
  /** The benchmark's own, removed after it. */
  workDir: string;
  /** Of bundles that all cases of a run share. */
  bundlesDir: string;
}

/** What a file of `cases/` exports as `benchmark`. */
export interface Benchmark {
  title: string;
  /** `tell` shows who waits what was measured so far. */
  measure: (places: Places, tell: (row: Measurement) => void) => Promise<Measurement[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('no values, no median');
  return (low + high) / 2;
}

/** The value below which so much of them lies: `share` 0.99 for the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
  if (value === undefined) throw new Error('no values, no percentile');
  return value;
}
