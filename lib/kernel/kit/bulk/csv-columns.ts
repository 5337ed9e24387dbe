import { maxNameLength } from '#kernel/core/schema.ts';
import { findWithinTwoLetters } from '#kernel/core/spelling.ts';

/** Assigns a field to each column of a CSV file. */

/** The meaning of a cell: a field by its path, or one key of metadata. Without either, the cell is ignored. */
export interface Place {
  readonly field?: string;
  readonly metadata?: string;
}

export interface CsvColumns {
  readonly placeOf: (title: string) => Place;
  /** Returns the faults of a header. */
  readonly faultsOf: (line: number, titles: readonly string[]) => string[];
}

interface Described {
  /** The fields of columns by their titles. Case, blanks and underscores of a title do not matter. */
  readonly columns: Readonly<Record<string, string>>;
  /** Titles of exports that an import ignores, because they follow from other data. */
  readonly derived: readonly string[];
  /** The file must have one of these fields. */
  readonly needs: readonly string[];
  readonly mayHaveSpaces: boolean;
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim();
}

/** Exports write one key of metadata under this title. It also makes metadata of a key that looks like a column. */
const metadataTitle = /^metadata\.(.+)$/s;

export function compileColumns({ columns, derived, needs, mayHaveSpaces }: Described): CsvColumns {
  const fields = new Map(
    [...Object.entries(columns), ['metadata', 'metadata']].map(([title = '', field]) => [plain(title), field]),
  );
  const silent = new Set(derived.map(plain).filter((title) => !fields.has(title)));
  const titles = new Map([...Object.keys(columns), ...derived, 'metadata'].map((title) => [plain(title), title]));

  function placeOf(title: string): Place {
    const [, key] = metadataTitle.exec(title) ?? [];
    if (key !== undefined) return { metadata: key };
    const field = fields.get(plain(title));
    if (field !== undefined) return { field };
    return silent.has(plain(title)) ? {} : { metadata: title };
  }

  /** Refuses a misspelled title. It would become metadata, and its limit or balance would be lost. */
  function slip(title: string): string | undefined {
    if (placeOf(title).metadata !== title) return undefined;
    const meant = findWithinTwoLetters(plain(title), titles.keys());
    return meant === undefined ? undefined : titles.get(meant);
  }

  function faultsOf(line: number, names: readonly string[]): string[] {
    const places = names.map(placeOf);
    const keys = places.map((place, index) =>
      Object.keys(place).length > 0 ? JSON.stringify(place) : plain(names[index] ?? ''),
    );
    const firsts = new Map(keys.map((key, index) => [key, index] as const).reverse());
    const ofColumns = names.flatMap((name, index) => {
      const column = `line ${line}, column ${index + 1}`;
      const first = firsts.get(keys[index] ?? '') ?? index;
      const meant = slip(name);
      const isOther = places[index]?.metadata === name;
      return [
        ...(name === '' ? [`${column} must have a name`] : []),
        ...(name.length > maxNameLength ? [`${column} must have a name of at most ${maxNameLength} characters`] : []),
        ...(places[index]?.metadata === '__proto__' ? [`${column} must not be named __proto__`] : []),
        ...(!mayHaveSpaces && isOther && /\s/.test(name) ? [`${column} must not have a space in its name`] : []),
        ...(first < index ? [`${column} is the same as column ${first + 1}`] : []),
        ...(meant === undefined
          ? []
          : [
              `${column} is ${name}, which is close to ${meant}: name it ${meant}, or metadata.${name} if it is metadata`,
            ]),
      ];
    });
    const isNeeded = needs.length === 0 || places.some(({ field }) => field !== undefined && needs.includes(field));
    return isNeeded ? ofColumns : [...ofColumns, `line ${line} must have a column ${needs.join(' or ')}`];
  }

  return { placeOf, faultsOf };
}
