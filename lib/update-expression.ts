import type { Change } from './dynamodb.ts';
import { somethingThere } from './table.ts';

/** Writes an UpdateExpression piece by piece; names and values get placeholders, so that any name may be a caller's. */
export class UpdateExpression {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, unknown> = {};
  readonly #set: string[] = [];
  readonly #remove: string[] = [];
  readonly #add: string[] = [];
  readonly #conditions: string[] = [];

  /** `path`: from the attribute inwards. */
  set(path: readonly string[], value: unknown): this {
    this.#set.push(`${this.#path(path)} = ${this.#value(value)}`);
    return this;
  }

  remove(path: readonly string[]): this {
    this.#remove.push(this.#path(path));
    return this;
  }

  /** Raises a number, from 0 where there is none: what others do at the same time counts too. */
  add(attribute: string, amount: number): this {
    this.#add.push(`${this.#path([attribute])} ${this.#value(amount)}`);
    return this;
  }

  /** Sets what is sent of these, removes what `null` clears, and leaves what is not sent. */
  take<K extends string>(sent: Readonly<Partial<Record<K, unknown>>>, names: readonly K[]): this {
    for (const name of names) {
      const value = sent[name];
      if (value === null) this.remove([name]);
      else if (value !== undefined) this.set([name], value);
    }
    return this;
  }

  /** Only where there is an item under the key: a change makes none. */
  whenThere(): this {
    this.#conditions.push(somethingThere);
    return this;
  }

  /** Only while the attribute still has the value; `undefined`: while it is not there. */
  whenStill(attribute: string, value: unknown): this {
    const name = this.#path([attribute]);
    this.#conditions.push(value === undefined ? `attribute_not_exists(${name})` : `${name} = ${this.#value(value)}`);
    return this;
  }

  /** Only while the attribute is not there, or has the value already. */
  whenUnsetOr(attribute: string, value: unknown): this {
    const name = this.#path([attribute]);
    const unset = `attribute_not_exists(${name})`;
    this.#conditions.push(value === undefined ? unset : `(${unset} OR ${name} = ${this.#value(value)})`);
    return this;
  }

  build(): Change {
    const clauses = [
      this.#set.length > 0 ? `SET ${this.#set.join(', ')}` : '',
      this.#remove.length > 0 ? `REMOVE ${this.#remove.join(', ')}` : '',
      this.#add.length > 0 ? `ADD ${this.#add.join(', ')}` : '',
    ];
    return {
      set: clauses.filter(Boolean).join(' '),
      condition: this.#conditions.join(' AND '),
      names: Object.fromEntries([...this.#names].map(([name, placeholder]) => [placeholder, name])),
      values: this.#values,
    };
  }

  #path(path: readonly string[]): string {
    return path
      .map((name) => {
        const placeholder = this.#names.get(name) ?? `#n${this.#names.size}`;
        this.#names.set(name, placeholder);
        return placeholder;
      })
      .join('.');
  }

  #value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }
}
