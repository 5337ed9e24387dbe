import * as v from 'valibot';

/** An exported project file: each list by its key, each entry with everything that the service knows about it. */

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

/** Returns the value, or an empty entry if it is not an object. */
export function asEntry(value: unknown): Entry {
  const result = v.safeParse(fields, value);
  return result.success ? result.output : {};
}

/** Returns an object field, or an empty entry if it is missing. */
export function part(entry: Entry, name: string): Entry {
  return asEntry(entry[name]);
}

/** Returns a text field, or an empty text if it is missing. */
export function text(entry: Entry, name: string): string {
  return typeof entry[name] === 'string' ? entry[name] : '';
}

/** Returns a number field, or 0 if it is missing. */
export function number(entry: Entry, name: string): number {
  return typeof entry[name] === 'number' ? entry[name] : 0;
}

/** Returns a field that is a list of objects. */
export function parts(entry: Entry, name: string): Entry[] {
  const result = v.safeParse(v.array(fields), entry[name]);
  return result.success ? result.output : [];
}

export function without(entry: Entry, ...names: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

/** Replaces each text that is a key of `names`, also among the names of fields. */
export function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one: unknown) => renamed(one, names));
  const object = v.safeParse(fields, value);
  if (!object.success) return value;
  return Object.fromEntries(
    Object.entries(object.output).map(([name, one]) => [names.get(name) ?? name, renamed(one, names)]),
  );
}
