import type * as v from 'valibot';
import type { Family } from './families.ts';
import { escapePart, type Key } from './keys.ts';

/**
 * A typed key. Reads by such a key parse the item by the schema. Writes by such a key add `kind`, `project` and `shape`
 * to the item.
 */
export interface ItemKey<S extends v.GenericSchema = v.GenericSchema> extends Key {
  readonly kind: string;
  readonly project: string;
  readonly schema: S;
  /** The family that containers keep under one version per project. */
  readonly family?: Family;
}

type Ids = readonly string[];

/** Builds the keys of one kind from the ids that lead to an item. `I` defaults to one id. */
export interface Kind<S extends v.GenericSchema, I extends Ids = [id: string]> {
  (projectId: string, ...ids: I): ItemKey<S>;
  readonly kind: string;
  readonly schema: S;
}

/** A kind in the partition of its parent, ordered by the last id. `P` are the ids that lead to the parent. */
export interface ChildKind<S extends v.GenericSchema, P extends Ids = [parentId: string]>
  extends Kind<S, [...P, id: string]> {
  /** Returns the range of the parent's partition that holds the children. */
  all: (projectId: string, ...ids: P) => { partition: string; from: string; to: string };
  /** The sort key up to the last id. */
  readonly prefix: string;
}

/** Returns the range of an item with its children of every kind. */
export function partitionRange({ pk }: Key): { partition: string } {
  return { partition: pk };
}

interface Traits {
  readonly family?: Family;
}

/** Declares a kind whose items each have a separate partition key. */
export function kind<S extends v.GenericSchema, I extends Ids = [id: string]>(
  name: string,
  schema: S,
  traits: Traits = {},
): Kind<S, I> {
  const keyOf = (project: string, ...ids: I): ItemKey<S> => ({
    pk: [escapePart(project), name, ...ids.map(escapePart)].join('#'),
    sk: name,
    kind: name,
    project,
    schema,
    ...traits,
  });
  return Object.assign(keyOf, { kind: name, schema });
}

/** Declares a kind of which a project has one item. */
export function projectKind<S extends v.GenericSchema>(name: string, schema: S): Kind<S, []> {
  return kind(name, schema);
}

/**
 * Declares a kind in the partition of its parent. One query reads all children in the order of their last id. DynamoDB allows 3,000
 * reads and 1,000 writes a second in a partition, so a parent is a card or a campaign, not a project.
 */
export function childKind<S extends v.GenericSchema, P extends Ids = [parentId: string]>(
  parent: { readonly kind: string },
  name: string,
  schema: S,
  traits: Traits = {},
): ChildKind<S, P> {
  const prefix = `${name}#`;
  const partition = (project: string, ids: Ids) => [escapePart(project), parent.kind, ...ids.map(escapePart)].join('#');
  const keyOf = (project: string, ...ids: [...P, id: string]): ItemKey<S> => ({
    pk: partition(project, ids.slice(0, -1)),
    sk: prefix + escapePart(ids.at(-1) ?? ''),
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
 * Declares a kind under ids that are unique across projects. It serves credentials, which are read before the project is known, and items
 * of several projects. `sort` is the sort key if it differs from the name.
 */
export function sharedKind(name: string, sort = name): (id: string) => Key {
  return (id) => ({ pk: `${name}#${escapePart(id)}`, sk: sort });
}

/** Declares a list across all projects, ordered by id. */
export function sharedList(name: string, kind: string): { at: (id: string) => Key; all: { partition: string } } {
  return { at: (id) => ({ pk: name, sk: `${kind}#${escapePart(id)}` }), all: { partition: name } };
}

/** Increases when older code cannot read a new stored shape. */
const shapeVersion = 1;

/** Returns the attributes that every item has. */
export function itemMarks({ kind, project }: ItemKey): { kind: string; project: string; shape: number } {
  return { kind, project, shape: shapeVersion };
}
