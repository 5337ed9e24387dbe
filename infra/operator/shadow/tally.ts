import { type Answer, type Caused, compareAnswers } from './compare.ts';

/** Counts compared requests, and their differences by cause. */

const shownExamples = 3;

interface Cause {
  requests: number;
  readonly examples: { readonly request: string; readonly differences: readonly Caused[] }[];
}

export class Tally {
  readonly #causes = new Map<string, Cause>();
  compared = 0;
  different = 0;
  /** Counts requests that the other service did not answer in time, or that exceeded the simultaneous requests. */
  readonly left = new Map<string, number>();

  add(request: string, one: Answer, other: Answer): readonly Caused[] {
    const differences = compareAnswers(one, other);
    this.compared += 1;
    if (differences.length > 0) this.different += 1;
    for (const [cause, some] of Map.groupBy(differences, (difference) => difference.cause)) {
      const known = this.#causes.get(cause) ?? { requests: 0, examples: [] };
      this.#causes.set(cause, known);
      known.requests += 1;
      if (known.examples.length < shownExamples) known.examples.push({ request, differences: some });
    }
    return differences;
  }

  leave(why: string): void {
    this.left.set(why, (this.left.get(why) ?? 0) + 1);
  }

  get summary(): string {
    const causes = [...this.#causes].sort(([, one], [, other]) => other.requests - one.requests);
    return [
      `${this.compared} requests were compared, ${this.different} of them with differences`,
      ...[...this.left].map(([why, requests]) => `${requests} requests were not compared: ${why}`),
      ...causes.flatMap(([cause, { requests, examples }]) => [
        `${requests} × ${cause}`,
        ...examples.flatMap(({ request, differences }) =>
          differences
            .slice(0, shownExamples)
            .map(({ field, one, other }) => `  ${request} ${field}: ${JSON.stringify(one)} → ${JSON.stringify(other)}`),
        ),
      ]),
    ]
      .map((line) => `${line}\n`)
      .join('');
  }
}
