import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

const longestInMicroseconds = 600_000_000;
const keptFaults = 10;

export interface Figures {
  /** All answers, right and wrong. */
  count: number;
  errors: number;
  perSecond: number;
  /** In milliseconds. */
  p50: number;
  p90: number;
  p97_5: number;
  p99: number;
  max: number;
}

class Series {
  readonly times: RecordableHistogram = createHistogram({ lowest: 1, highest: longestInMicroseconds, figures: 3 });
  errors = 0;

  figures(seconds: number): Figures {
    const { times, errors } = this;
    const ms = (microseconds: number) => microseconds / 1000;
    // An empty histogram has the largest of all numbers as its smallest.
    const at = (percentile: number) => (times.count === 0 ? 0 : ms(times.percentile(percentile)));
    return {
      count: times.count,
      errors,
      perSecond: seconds > 0 ? times.count / seconds : 0,
      p50: at(50),
      p90: at(90),
      p97_5: at(97.5),
      p99: at(99),
      max: ms(times.max),
    };
  }
}

/** Records the results of one round or of several. */
export class Recorder {
  readonly #total = new Series();
  readonly #operations = new Map<string, Series>();
  /** The first faults, in words. */
  readonly faults: string[] = [];
  errors = 0;
  seconds = 0;

  answered(operation: string, milliseconds: number, fault: string | undefined): void {
    for (const { times } of [this.#total, this.#series(operation)]) {
      times.record(Math.max(1, Math.round(milliseconds * 1000)));
    }
    if (fault !== undefined) this.failed(operation, fault);
  }

  failed(operation: string, fault: string): void {
    for (const series of [this.#total, this.#series(operation)]) series.errors += 1;
    this.errors += 1;
    if (this.faults.length < keptFaults) this.faults.push(`${operation}: ${fault}`);
  }

  add(other: Recorder): void {
    this.seconds += other.seconds;
    this.errors += other.errors;
    this.faults.push(...other.faults.slice(0, keptFaults - this.faults.length));
    merge(this.#total, other.#total);
    for (const [operation, series] of other.#operations) merge(this.#series(operation), series);
  }

  get total(): Figures {
    return this.#total.figures(this.seconds);
  }

  /** The most frequent operation first. */
  get operations(): [string, Figures][] {
    return [...this.#operations]
      .map(([operation, series]): [string, Figures] => [operation, series.figures(this.seconds)])
      .sort(([, a], [, b]) => b.count - a.count);
  }

  #series(operation: string): Series {
    let series = this.#operations.get(operation);
    if (!series) {
      series = new Series();
      this.#operations.set(operation, series);
    }
    return series;
  }
}

function merge(into: Series, from: Series): void {
  if (from.times.count > 0) into.times.add(from.times);
  into.errors += from.errors;
}
