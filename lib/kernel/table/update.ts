import type * as v from 'valibot';
import type { NameIn, PathIn } from './attribute-names.ts';
import type { Change } from './command.ts';
import type { Attributes } from './item.ts';
import { somethingThere } from './keys.ts';

type Path = readonly string[];

const keyOf = (path: Path) => JSON.stringify(path);

/** Rejects expressions that name a place twice, or a place inside another. DynamoDB refuses them, but not every local engine. */
function checkApart(paths: readonly Path[]): void {
  const seen = new Set(paths.map(keyOf));
  const isInside = (path: Path) => path.some((_, steps) => steps > 0 && seen.has(keyOf(path.slice(0, steps))));
  const overlapping = paths.find(isInside) ?? (seen.size < paths.length ? paths[0] : undefined);
  if (overlapping) throw new Error(`changes of one item overlap, near ${overlapping[0]}`);
}

/**
 * Builds a change of one item piece by piece, with its conditions. The last change of a place wins. Names may come from callers, unless `A`,
 * the type or the schema of the item, declares them.
 */
export class Update<A = Attributes> {
  readonly #set = new Map<string, { path: Path; value: unknown }>();
  readonly #setOnce = new Map<string, unknown>();
  readonly #remove = new Map<string, Path>();
  readonly #add = new Map<string, number>();
  readonly #numbered = new Map<string, string>();
  readonly #addIn: { path: Path; amount: number }[] = [];
  readonly #conditions: ((name: (path: Path) => string, value: (value: unknown) => string) => string)[] = [];

  /** Begins a change of the item under the key. */
  static of<S extends v.GenericSchema>(_key: { readonly schema: S }): Update<S> {
    return new Update();
  }

  /** Sets a value. `path` leads from the attribute inwards. */
  set(path: PathIn<A>, value: unknown): this {
    this.#put(path, value);
    return this;
  }

  #put(path: Path, value: unknown): void {
    this.#remove.delete(keyOf(path));
    this.#set.set(keyOf(path), { path, value });
  }

  #drop(path: Path): void {
    this.#set.delete(keyOf(path));
    this.#remove.set(keyOf(path), path);
  }

  /** Sets attributes whose names the type of the object declares, such as the places of an item in its lists. */
  setAll(values: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(values)) this.#put([name], value);
    return this;
  }

  /** Sets the attributes, and removes those that are `null` or `undefined`. */
  replaceAll(values: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === null) this.#drop([name]);
      else this.#put([name], value);
    }
    return this;
  }

  /** Sets the attribute if it has no value. */
  setOnce(attribute: NameIn<A>, value: unknown): this {
    this.#setOnce.set(attribute, value);
    return this;
  }

  remove(path: PathIn<A>): this {
    this.#drop(path);
    return this;
  }

  /** Adds to a number, or to 0 if it is missing. Concurrent additions all count. */
  add(attribute: NameIn<A>, amount: number): this {
    this.#add.set(attribute, (this.#add.get(attribute) ?? 0) + amount);
    return this;
  }

  /** Adds each amount that is not 0. */
  addAll(amounts: Readonly<Record<string, number>>): this {
    for (const [name, amount] of Object.entries(amounts)) {
      if (amount !== 0) this.#add.set(name, (this.#add.get(name) ?? 0) + amount);
    }
    return this;
  }

  /** Raises a counter, and sets the attribute to its new value. Each write, even a repeat, gets a new number. */
  number(attribute: NameIn<A>, counter: NameIn<A>): this {
    this.#numbered.set(attribute, counter);
    return this.add(counter, 1);
  }

  /** Adds to a nested number. The outer attribute must exist. */
  addIn(path: PathIn<A>, amount: number): this {
    this.#addIn.push({ path, amount });
    return this;
  }

  /** Sets the sent fields, removes those that are `null`, and leaves the others. */
  take<K extends string>(sent: Readonly<Partial<Record<K, unknown>>>, names: readonly (K & NameIn<A>)[]): this {
    for (const name of names) {
      const value = sent[name];
      if (value === null) this.remove([name]);
      else if (value !== undefined) this.set([name], value);
    }
    return this;
  }

  /** Requires that the item exists and was not deleted. */
  whenThere(): this {
    this.#conditions.push((name) => `${somethingThere} AND attribute_not_exists(${name(['deleted_at'])})`);
    return this;
  }

  /** Requires that the attribute has this value. `undefined` requires that it is missing. */
  whenStill(attribute: NameIn<A>, expected: unknown): this {
    this.#requireStill(attribute, expected);
    return this;
  }

  #requireStill(attribute: string, expected: unknown): void {
    this.#conditions.push((name, value) =>
      expected === undefined
        ? `attribute_not_exists(${name([attribute])})`
        : `${name([attribute])} = ${value(expected)}`,
    );
  }

  /** Requires each of these values, as `whenStill` does. */
  whenAllStill(values: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(values)) this.#requireStill(name, value);
    return this;
  }

  /** Requires that the attribute is missing or has this value. */
  whenUnsetOr(attribute: NameIn<A>, expected: unknown): this {
    this.#conditions.push((name, value) => {
      const unset = `attribute_not_exists(${name([attribute])})`;
      return expected === undefined ? unset : `(${unset} OR ${name([attribute])} = ${value(expected)})`;
    });
    return this;
  }

  /** Requires that the number is at least `least`. */
  whenAtLeast(attribute: NameIn<A>, least: number): this {
    this.#conditions.push((name, value) => `${name([attribute])} >= ${value(least)}`);
    return this;
  }

  /** Requires that the attribute exists. */
  whenHas(attribute: NameIn<A>): this {
    this.#conditions.push((name) => `attribute_exists(${name([attribute])})`);
    return this;
  }

  /** Requires that the number is at most `most`. A missing number is 0. */
  whenAtMost(attribute: NameIn<A>, most: number): this {
    if (most >= 0) return this.whenBelow(attribute, most + 1);
    this.#conditions.push((name, value) => `${name([attribute])} <= ${value(most)}`);
    return this;
  }

  /** Requires that the number is smaller or missing. */
  whenBelow(attribute: NameIn<A>, bound: number): this {
    this.#conditions.push(
      (name, value) => `(attribute_not_exists(${name([attribute])}) OR ${name([attribute])} < ${value(bound)})`,
    );
    return this;
  }

  get changes(): boolean {
    const named = [this.#set, this.#setOnce, this.#numbered, this.#remove, this.#add];
    return this.#addIn.length > 0 || named.some(({ size }) => size > 0);
  }

  /** Applies the change to an item that the same transaction inserts. Its conditions do not apply. */
  appliedTo(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const made: Record<string, unknown> = { ...item };
    for (const { path } of this.#addIn) throw new Error(`an inserted item has no ${path.join('.')}`);
    for (const [attribute, counter] of this.#numbered) made[attribute] = Number(made[counter] ?? 0) + 1;
    for (const [attribute, value] of this.#setOnce) made[attribute] ??= value;
    for (const { path, value } of this.#set.values()) {
      const [attribute, ...inner] = path;
      if (attribute === undefined || inner.length > 0) throw new Error(`an inserted item has no ${path.join('.')}`);
      made[attribute] = value;
    }
    for (const [attribute = ''] of this.#remove.values()) delete made[attribute];
    for (const [attribute, amount] of this.#add) made[attribute] = Number(made[attribute] ?? 0) + amount;
    return made;
  }

  build(): Change {
    const inner = [...this.#set.values(), ...this.#addIn].map(({ path }) => path);
    const single = [...this.#setOnce.keys(), ...this.#numbered.keys(), ...this.#add.keys()].map((attribute) => [
      attribute,
    ]);
    checkApart([...inner, ...this.#remove.values(), ...single]);
    const names = new Map<string, string>();
    const values: Record<string, unknown> = {};
    const nameOf = (path: Path) =>
      path
        .map((name) => {
          const placeholder = names.get(name) ?? `#n${names.size}`;
          names.set(name, placeholder);
          return placeholder;
        })
        .join('.');
    const placeholderOf = (value: unknown) => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    };
    const clauses = [
      [
        'SET',
        [
          ...[...this.#set.values()].map(({ path, value }) => `${nameOf(path)} = ${placeholderOf(value)}`),
          ...[...this.#setOnce].map(([attribute, value]) => {
            const name = nameOf([attribute]);
            return `${name} = if_not_exists(${name}, ${placeholderOf(value)})`;
          }),
          ...[...this.#numbered].map(
            ([attribute, counter]) =>
              `${nameOf([attribute])} = if_not_exists(${nameOf([counter])}, ${placeholderOf(0)}) + ${placeholderOf(1)}`,
          ),
          ...this.#addIn.map(({ path, amount }) => {
            const name = nameOf(path);
            return `${name} = if_not_exists(${name}, ${placeholderOf(0)}) + ${placeholderOf(amount)}`;
          }),
        ],
      ],
      ['REMOVE', [...this.#remove.values()].map(nameOf)],
      ['ADD', [...this.#add].map(([attribute, amount]) => `${nameOf([attribute])} ${placeholderOf(amount)}`)],
    ] as const;
    const condition = [...new Set(this.#conditions.map((one) => one(nameOf, placeholderOf)))].join(' AND ');
    return {
      set: clauses.flatMap(([word, parts]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [])).join(' '),
      condition,
      names: Object.fromEntries([...names].map(([name, placeholder]) => [placeholder, name])),
      values,
    };
  }
}
