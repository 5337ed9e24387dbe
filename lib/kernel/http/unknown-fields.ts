import type * as v from 'valibot';
import { isRecord } from '#kernel/core/is-record.ts';
import { findClosest } from '#kernel/core/spelling.ts';

/** Finds fields that no schema has, and the known fields that callers probably meant. */

type Schema = v.GenericSchema;

export interface UnknownField {
  /** The path to the field, from the value inwards. */
  place: string;
  /** The names of the objects around the field, from the value inwards. */
  path: readonly string[];
  /** The known field with a similar name, if one exists. */
  meant: string | undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

/** Returns the schemas that apply to this value, without wrappers. Of a variant only the options that the value names apply. */
function shapesOf(schema: Schema, value: unknown): Schema[] {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return shapesOf(schema.wrapped, value);
  if (!('options' in schema) || !Array.isArray(schema.options)) return [schema];
  const options = schema.options.filter(isSchema);
  const key = 'key' in schema ? String(schema.key) : undefined;
  const named = options.filter((option) => key === undefined || isNamed(option, key, at(value, key)));
  return (named.length > 0 ? named : options).flatMap((option) => shapesOf(option, value));
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns whether the option of a variant has this name. An option may be a variant itself, by another key. */
function isNamed(option: Schema, key: string, name: unknown): boolean {
  if ('options' in option && Array.isArray(option.options)) {
    return option.options.filter(isSchema).some((inner) => isNamed(inner, key, name));
  }
  return at(at(at(option, 'entries'), key), 'literal') === name;
}

/** Finds a known name that is similar to another. */
type Nearest = (name: string, known: Iterable<string>, path: readonly string[]) => string | undefined;

interface Options {
  readonly place?: string;
  readonly path?: readonly string[];
  readonly nearest?: Nearest;
}

/**
 * Yields the fields that none of the schemas has, at any depth. Open objects (metadata) may have any field. Values that do not fit their
 * schema are skipped, because validation reports them.
 */
export function* findUnknownFields(
  value: unknown,
  schemas: readonly Schema[],
  { place = '', path = [], nearest = findClosest }: Options = {},
): Generator<UnknownField> {
  const shapes = schemas.flatMap((schema) => shapesOf(schema, value));
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => ('item' in shape && isSchema(shape.item) ? [shape.item] : []));
    if (items.length === 0) return;
    for (const [index, item] of value.entries()) {
      yield* findUnknownFields(item, items, { place: `${place}[${index}]`, path, nearest });
    }
    return;
  }
  if (!isRecord(value)) return;
  const values = shapes.flatMap((shape) => ('value' in shape && isSchema(shape.value) ? [shape.value] : []));
  const objects = shapes.flatMap((shape) => (at(shape, 'type') === 'object' ? [at(shape, 'entries')] : []));
  const isOpen = shapes.some(({ type }) => type !== 'object' && type !== 'record');
  if (isOpen || (objects.length === 0 && values.length === 0)) return;
  for (const [key, inner] of Object.entries(value)) {
    const known = [...values, ...objects.map((entries) => at(entries, key)).filter(isSchema)];
    const within = place === '' ? key : `${place}.${key}`;
    if (known.length > 0) yield* findUnknownFields(inner, known, { place: within, path: [...path, key], nearest });
    else {
      const names = objects.flatMap((entries) => Object.keys(entries ?? {}));
      yield { place: within, path, meant: nearest(key, names, path) };
    }
  }
}
