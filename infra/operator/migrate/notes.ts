/** Collects what could not be copied, with a few examples of each. */

const shown = 5;

export class Notes {
  readonly #found = new Map<string, { count: number; examples: string[] }>();

  add(what: string, example?: string): void {
    const known = this.#found.get(what) ?? { count: 0, examples: [] };
    this.#found.set(what, known);
    known.count += 1;
    if (example !== undefined && known.examples.length < shown) known.examples.push(example);
  }

  get lines(): string[] {
    return [...this.#found].map(([what, { count, examples }]) => {
      const some = examples.length === 0 ? '' : `: ${examples.join(', ')}${count > examples.length ? ', …' : ''}`;
      return `${count.toLocaleString('en')} × ${what}${some}`;
    });
  }
}
