import { joinFaults, ServiceError } from '../errors.ts';
import { isRecord } from '../is-record.ts';
import { type Definition, type MetadataSchemas, schemaOf } from './definition.ts';
import { areEqual, sizeOf, valuesOf } from './values.ts';

/** Compiles schemas once per version of the project, and checks metadata by them. */

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Adds the faults of a value. `key` is the text that follows the place. Texts of places are only made for faults,
 * because most values fit.
 */
type CheckValue = (value: unknown, place: string, key: string, faults: string[]) => void;

const hasPairs = /[\ud800-\udbff]/;

/** Limits the characters of a value in an error. */
const maxShown = 100;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
}

function listed(values: readonly unknown[]): string {
  return shown(values).replace(/^\[|\]$/g, '');
}

/** Counts code points, because an emoji is one character. A text without such characters is as long as its units. */
function lengthOf(value: unknown): number {
  const text = String(value);
  return hasPairs.test(text) ? [...text].length : text.length;
}

type Limit = readonly [holds: (value: unknown) => boolean, words: string];

function limitsOf({ type, ...limits }: Definition): Limit[] {
  const { eq, ne, lt, lte, gt, gte, min_length: min, max_length: max, exact_length: exact } = limits;
  const has = (values: readonly unknown[], value: unknown) =>
    values.includes(value) || values.some((one) => areEqual(type, one, value));
  const bounded = (bound: unknown, holds: (value: number, bound: number) => boolean, words: string): Limit[] => {
    const size = sizeOf(type, bound);
    return bound === undefined ? [] : [[(value) => holds(sizeOf(type, value), size), `${words} ${shown(bound)}`]];
  };
  const long = (
    bound: number | undefined,
    holds: (length: number, bound: number) => boolean,
    words: string,
    holdsSurely = (_value: string, _bound: number) => false,
  ): Limit[] => {
    if (bound === undefined) return [];
    const holdsFor = (value: unknown) => holdsSurely(String(value), bound) || holds(lengthOf(value), bound);
    return [[holdsFor, `have ${words}${bound} characters`]];
  };
  return [
    ...(eq && eq.length > 0 ? [[(value: unknown) => has(eq, value), `be one of ${listed(eq)}`] as const] : []),
    ...(ne && ne.length > 0 ? [[(value: unknown) => !has(ne, value), `be none of ${listed(ne)}`] as const] : []),
    ...bounded(lt, (value, bound) => value < bound, 'be less than'),
    ...bounded(lte, (value, bound) => value <= bound, 'be at most'),
    ...bounded(gt, (value, bound) => value > bound, 'be more than'),
    ...bounded(gte, (value, bound) => value >= bound, 'be at least'),
    ...long(min, (length, bound) => length >= bound, 'at least '),
    // A text never has more characters than units, so that most need no count.
    ...long(
      max,
      (length, bound) => length <= bound,
      'at most ',
      (value, bound) => value.length <= bound,
    ),
    ...long(exact, (length, bound) => length === bound, 'exactly '),
  ];
}

/** Gives the place of metadata, and whether it changes stored metadata. */
export interface MetadataCheck {
  readonly place: string;
  /** The metadata before the change. New metadata must have all required keys. */
  readonly before?: Metadata | undefined;
}

/** A compiled schema. */
export interface CompiledSchema {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly faultsOf: (metadata: Metadata, check: MetadataCheck) => string[];
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasKey(metadata: Metadata, key: string): boolean {
  return Object.hasOwn(metadata, key) && isThere(metadata[key]);
}

interface Key {
  /** The name with a dot before it. */
  readonly key: string;
  readonly check: CheckValue;
  readonly isRequired: boolean;
}

function compileKey(name: string, definition: Definition, nested: (name: string) => CheckValue): Key {
  const { type, array, required = false, object_type } = definition;
  const [fits, words] = valuesOf[type];
  const limits = limitsOf(definition);
  const inner = type === 'object' && object_type !== undefined ? nested(object_type) : undefined;
  const checkOne: CheckValue = (value, place, key, faults) => {
    if (!fits(value)) {
      faults.push(`${place}${key} must be ${words}, but is ${shown(value)}`);
      return;
    }
    for (const [holds, limit] of limits) {
      if (!holds(value)) faults.push(`${place}${key} must ${limit}, but is ${shown(value)}`);
    }
    inner?.(value, place, key, faults);
  };
  const isValid = (value: unknown) => {
    if (inner || !fits(value)) return false;
    for (const [holds] of limits) if (!holds(value)) return false;
    return true;
  };
  const checkEach: CheckValue = (value, place, key, faults) => {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++)
        if (!isValid(value[index])) checkOne(value[index], place, `${key}[${index}]`, faults);
    } else faults.push(`${place}${key} must be an array, but is ${shown(value)}`);
  };
  return { key: `.${name}`, check: array ? checkEach : checkOne, isRequired: required };
}

/**
 * Compiles one schema. A key with `null` counts as absent. A change is checked with all stored keys. Required keys that were missing
 * before may stay missing, and undefined keys that are stored may stay.
 */
function compile(schemas: MetadataSchemas, name: string, compiled: Map<string, CompiledSchema>): CompiledSchema {
  const { properties = {}, allow_defined_only = false } = schemaOf(schemas, name) ?? {};
  const nested =
    (inner: string): CheckValue =>
    (value, place, key, faults) => {
      if (!isRecord(value)) return;
      faults.push(...compiledOf(schemas, inner, compiled).faultsOf(value, { place: place + key }));
    };
  const used = Object.entries(properties).filter(([, { deleted }]) => !deleted);
  const keys = new Map(used.map(([key, definition]) => [key, compileKey(key, definition, nested)]));
  const required = [...keys].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  const known = shown([...keys.keys()]);

  function faultsOf(metadata: Metadata, { place, before }: MetadataCheck): string[] {
    const faults: string[] = [];
    for (const key of Object.keys(metadata)) {
      const value = metadata[key];
      if (!isThere(value)) continue;
      const defined = keys.get(key);
      if (defined) defined.check(value, place, defined.key, faults);
      else if (allow_defined_only && !(before && Object.hasOwn(before, key) && before[key] === value))
        faults.push(`${place}.${key} is not defined by the schema ${name}, which has ${known}`);
    }
    for (const key of required) {
      if (!hasKey(metadata, key) && (!before || hasKey(before, key)))
        faults.push(`${place}.${key} is required by the schema ${name}`);
    }
    return faults;
  }
  return { definitions: new Map(used), faultsOf };
}

function compiledOf(schemas: MetadataSchemas, name: string, compiled: Map<string, CompiledSchema>): CompiledSchema {
  const known = compiled.get(name) ?? compile(schemas, name, compiled);
  compiled.set(name, known);
  return known;
}

/** Finds compiled schemas by name. */
export type FindSchema = (name: string) => CompiledSchema | undefined;

/** A project without schemas. */
export const noSchemas: FindSchema = () => undefined;

/** Returns the schemas of a project, each compiled at its first use. */
export function compileSchemas(schemas: MetadataSchemas | undefined): FindSchema {
  if (!schemas || Object.keys(schemas).length === 0) return noSchemas;
  const compiled = new Map<string, CompiledSchema>();
  return (name) => (schemaOf(schemas, name) ? compiledOf(schemas, name, compiled) : undefined);
}

/** Throws 400 `metadata_validation_failed` with every wrong key. Without a schema nothing is checked. */
export function checkBySchema(schema: CompiledSchema | undefined, metadata: Metadata, check: MetadataCheck): void {
  const faults = schema?.faultsOf(metadata, check) ?? [];
  if (faults.length > 0) throw new ServiceError('metadata_validation_failed', { details: joinFaults(faults) });
}
