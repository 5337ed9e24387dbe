import { type CompiledRule, compileRule } from './compile.ts';
import type { RuleDocument } from './shape.ts';

/** Limits the documents of one container, as characters of JSON. The oldest are dropped first. */
const maxKept = 16_000_000;

/** Caches compiled documents by their text. A changed rule has another text, so the cache is never outdated. */
export class CompiledRules {
  readonly #kept = new Map<string, CompiledRule>();
  readonly #maxKept: number;
  #size = 0;

  constructor(max = maxKept) {
    this.#maxKept = max;
  }

  of({ rules, bundle_rules, error, context_type, applicable_to }: RuleDocument): CompiledRule {
    const document = { rules, bundle_rules, error, context_type, applicable_to };
    const text = JSON.stringify(document);
    const known = this.#kept.get(text);
    if (known) return known;
    const compiled = compileRule(document);
    this.#kept.set(text, compiled);
    this.#size += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#maxKept) break;
      this.#kept.delete(oldest);
      this.#size -= oldest.length;
    }
    return compiled;
  }
}
