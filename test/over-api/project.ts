import * as v from 'valibot';

/** A project file as the service exports it: each list by its key, each entry with everything that the service knows of it. */

export type Entry = Readonly<Record<string, unknown>>;

const file = v.objectWithRest(
  { project: v.looseObject({ id: v.string() }) },
  v.array(v.record(v.string(), v.unknown())),
);

export type Project = v.InferOutput<typeof file>;

export function parseProject(text: string): Project {
  return v.parse(file, JSON.parse(text));
}

export function entriesOf({ project, ...lists }: Project, list: string): readonly Entry[] {
  return lists[list] ?? [];
}

const fields = v.record(v.string(), v.unknown());

/** Empty for what is no object. */
export function asEntry(value: unknown): Entry {
  const result = v.safeParse(fields, value);
  return result.success ? result.output : {};
}

/** A field that is an object; empty where there is none. */
export function part(entry: Entry, name: string): Entry {
  return asEntry(entry[name]);
}

/** A field that is text; empty where there is none. */
export function text(entry: Entry, name: string): string {
  return typeof entry[name] === 'string' ? entry[name] : '';
}

/** A field that is a number; 0 where there is none. */
export function number(entry: Entry, name: string): number {
  return typeof entry[name] === 'number' ? entry[name] : 0;
}

/** A field that is a list of objects. */
export function parts(entry: Entry, name: string): Entry[] {
  const result = v.safeParse(v.array(fields), entry[name]);
  return result.success ? result.output : [];
}

export function without(entry: Entry, ...names: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

/** `value` with every text that is a key of `names`, also as the name of a field, in its other form. */
export function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one: unknown) => renamed(one, names));
  const object = v.safeParse(fields, value);
  if (!object.success) return value;
  return Object.fromEntries(
    Object.entries(object.output).map(([name, one]) => [names.get(name) ?? name, renamed(one, names)]),
  );
}
