import type * as v from 'valibot';
import type { Family } from './families.ts';
import { type Key, part } from './keys.ts';

/**
 * Where an item stands, and what it is: reads by such a key are parsed by its schema, writes by it put `kind`, `project` and
 * `shape` on the item.
 */
export interface ItemKey<S extends v.GenericSchema = v.GenericSchema> extends Key {
  readonly kind: string;
  readonly project: string;
  readonly schema: S;
  /** Of what containers keep by one version for all of a project. */
  readonly family?: Family;
}

type Ids = readonly string[];

/** Builds the keys of one kind of item, by the ids that lead to it: one of its own unless `I` says others. */
export interface Kind<S extends v.GenericSchema, I extends Ids = [id: string]> {
  (projectId: string, ...ids: I): ItemKey<S>;
  readonly kind: string;
  readonly schema: S;
}

/** A kind that stands inside the partition of its parent, in the order of its last id. `P`: the ids that lead to the parent. */
export interface ChildKind<S extends v.GenericSchema, P extends Ids = [parentId: string]>
  extends Kind<S, [...P, id: string]> {
  /** The part of the parent's partition that holds them. */
  all: (projectId: string, ...ids: P) => { partition: string; from: string; to: string };
  /** Their part of the sort key, ending where the last id begins. */
  readonly prefix: string;
}

/** All that stands with an item: the item, and its children of every kind. */
export function partitionOf({ pk }: Key): { partition: string } {
  return { partition: pk };
}

interface Traits {
  readonly family?: Family;
}

/** An item under a partition key of its own. */
export function kind<S extends v.GenericSchema, I extends Ids = [id: string]>(
  name: string,
  schema: S,
  traits: Traits = {},
): Kind<S, I> {
  const keyOf = (project: string, ...ids: I): ItemKey<S> => ({
    pk: [part(project), name, ...ids.map(part)].join('#'),
    sk: name,
    kind: name,
    project,
    schema,
    ...traits,
  });
  return Object.assign(keyOf, { kind: name, schema });
}

/** An item of which a project has one. */
export function projectKind<S extends v.GenericSchema>(name: string, schema: S): Kind<S, []> {
  return kind(name, schema);
}

/**
 * Items beside their parent, which one query reads in the order of their last id. DynamoDB reads and writes one partition
 * 3,000 and 1,000 times a second: children are what one card or campaign has, not what a project has.
 */
export function childKind<S extends v.GenericSchema, P extends Ids = [parentId: string]>(
  parent: { readonly kind: string },
  name: string,
  schema: S,
  traits: Traits = {},
): ChildKind<S, P> {
  const prefix = `${name}#`;
  const partition = (project: string, ids: Ids) => [part(project), parent.kind, ...ids.map(part)].join('#');
  const keyOf = (project: string, ...ids: [...P, id: string]): ItemKey<S> => ({
    pk: partition(project, ids.slice(0, -1)),
    sk: prefix + part(ids.at(-1) ?? ''),
    kind: name,
    project,
    schema,
    ...traits,
  });
  return Object.assign(keyOf, {
    kind: name,
    schema,
    prefix,
    // `$` follows `#`.
    all: (project: string, ...ids: P) => ({
      partition: partition(project, ids),
      from: prefix,
      to: `${name}$`,
    }),
  });
}

/**
 * Builds the keys of items under an id that no two projects share: credentials, which are read before a project is known, and
 * what concerns several projects. `sort`: what stands in the sort key, where that isn't the name.
 */
export function sharedKind(name: string, sort = name): (id: string) => Key {
  return (id) => ({ pk: `${name}#${part(id)}`, sk: sort });
}

/** A list of all projects together, in the order of ids. */
export function sharedList(name: string, kind: string): { at: (id: string) => Key; all: { partition: string } } {
  return { at: (id) => ({ pk: name, sk: `${kind}#${part(id)}` }), all: { partition: name } };
}

/** Goes up when what is stored of any kind changes in a way that older code does not read. */
export const shapeVersion = 1;

/** What every item says of itself. */
export function marks({ kind, project }: ItemKey): { kind: string; project: string; shape: number } {
  return { kind, project, shape: shapeVersion };
}
