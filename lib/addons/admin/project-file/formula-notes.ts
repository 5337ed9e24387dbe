import { findSentFault } from '#engine/rules/formulas/formula.ts';
import { isRecord } from '#kernel/core/is-record.ts';

/** Limits the notes of a file. The last note counts the remaining notes. */
const maxNotes = 100;

function* formulasIn(value: unknown, place: string): Generator<[place: string, formula: string]> {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) yield* formulasIn(inner, `${place}[${index}]`);
  } else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (name.endsWith('_formula') && typeof inner === 'string') yield [`${place}.${name}`, inner];
      else if (name !== 'metadata') yield* formulasIn(inner, `${place}.${name}`);
    }
  }
}

/** Notes formulas that have no value. A file may have them, because its source took them. The plain value applies. */
export class FormulaNotes {
  readonly #notes: string[] = [];
  #further = 0;

  see(value: unknown, place: string): void {
    for (const [at, formula] of formulasIn(value, place)) {
      const fault = formula.trim() === '' ? undefined : findSentFault(formula);
      if (fault === undefined) continue;
      if (this.#notes.length < maxNotes) this.#notes.push(`${at} ${fault}. The plain value applies`);
      else this.#further += 1;
    }
  }

  get all(): string[] {
    const further = this.#further > 0 ? [`${this.#further} more formulas have no value`] : [];
    return [...this.#notes, ...further];
  }
}
