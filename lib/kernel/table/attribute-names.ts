import type * as v from 'valibot';

/** Names the declared attributes of an item or a schema, also of each of several forms. A bare item has any. */
type Declared<A> = A extends v.GenericSchema
  ? Declared<v.InferInput<A>>
  : A extends object
    ? keyof { [K in keyof A as string extends K ? never : K]: 0 } & string
    : never;

/** Names an attribute of the items, or one that the table gives to every item. */
export type NameIn<A> = [Declared<A>] extends [never] ? string : Declared<A> | TableAttribute;

/** Leads from an attribute of the items inwards. */
export type PathIn<A> = readonly [NameIn<A>, ...string[]];

/** Attributes that the table adds to items of every kind, and marks that a deletion leaves on them. */
type TableAttribute =
  | 'version'
  | 'updated_at'
  | 'dueAt'
  | 'dueShard'
  | 'expiresAt'
  | 'deleted_at'
  | 'bin_entry'
  | 'deletion'
  | 'is_archived'
  | 'merged_into';
