import * as v from 'valibot';
import { described, findDescription, named } from '#kernel/core/documented.ts';
import { count, dateTime, identifier, nullable, object } from '#kernel/core/schema.ts';
import { defaultLimit, moreEntries } from '#kernel/http/page.ts';
import type { Family } from '#kernel/table/families.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import type { FilterFields } from '../filters/fields.ts';
import type { NotedKind } from '../offers/offer-notes.ts';
import {
  buildListQuery,
  claimItem,
  countItem,
  declareListingOfEach,
  declareListings,
  type Fields,
  type IdsTo,
  type Item,
  type ListOrder,
  type Parent,
  type ResourceRules,
  type Schema,
} from './shape.ts';

/** Declares a field that every resource has. A body that creates one must send it. */
export function required<S extends Schema>(
  schema: S,
  words: string,
  more: { leftOut?: v.InferInput<S>; refers?: string } = {},
) {
  return { schema: described(schema, words), required: true, ...more } as const;
}

/** Declares an optional field. `null` in an update clears it. */
export function optional<S extends Schema>(schema: S, words: string, more: { refers?: string } = {}) {
  return { schema: described(schema, words), required: false, ...more } as const;
}

type EntriesOf<F extends Fields> = {
  [N in keyof F]: F[N]['required'] extends true
    ? F[N]['schema']
    : v.OptionalSchema<v.NullableSchema<F[N]['schema'], undefined>, undefined>;
};

interface Traits<F extends Fields, P extends Parent | undefined = Parent | undefined> {
  /** The prefix of ids, without the underscore. */
  readonly prefix: string;
  readonly fields: F;
  /** Unique fields. No two resources of a project share a value: 409 `duplicate_found`. */
  readonly unique?: readonly (keyof F & string)[];
  /**
   * The unique field `source_id` is the caller's own id. Paths accept it like the id, and a creation with a known id or source id changes
   * that resource.
   */
  readonly sourceId?: true;
  readonly parent?: P;
  /** Values that replies show for empty fields. Other empty fields are left out. */
  readonly empty?: Readonly<Partial<Record<(keyof F & string) | 'updated_at', unknown>>>;
  /** Fields that replies show besides the resource's own. Project files ignore them. */
  readonly shows?: v.ObjectEntries;
  /**
   * `few` means tens or hundreds in a project, which one query reads and any order sorts. `many` has an index for each order, at most four,
   * and the stream counts the total.
   */
  readonly number: 'few' | 'many';
  readonly orders?: readonly ListOrder[];
  /** Spreads each list of `many` over this number of partitions, of 1,000 writes a second each. The number may grow, but never shrink. */
  readonly spread?: number;
  /** Limits the resources of a project: 400 `too_many_resources` for one more. */
  readonly most?: number;
  /** The field with the id of another resource. Each of those has a list of the resources that name it. */
  readonly ofEach?: string;
  /** The list accepts `start_date` and `end_date` for the time of creation, both included. */
  readonly dated?: true;
  /** The key of the list in replies (`data_ref`). */
  readonly dataRef?: string;
  /** The key of the list in project files. */
  readonly fileKey: string;
  readonly rules?: ResourceRules;
  /** A project file never changes an existing resource, because figures elsewhere follow from it. */
  readonly loadedOnce?: true;
  /** Qualifications find the resource by its version (`lib/kernel/kit/offers`), which changes with it. */
  readonly noted?: NotedKind;
  /** Containers keep the resource under one version per project (`lib/kernel/table/kept.ts`). */
  readonly family?: Family;
  /** The default of `limit`, ten unless set. */
  readonly unlimited?: number;
  /** Fields by which a list of `many` can be filtered. Such a list can also begin after an element. */
  readonly filters?: FilterFields<Item>;
}

type AnyTraits = Omit<Traits<Fields>, 'unique' | 'empty'> & {
  readonly unique?: readonly string[];
  readonly empty?: Readonly<Record<string, unknown>>;
};

function entriesOf({ fields, unique = [] }: Pick<AnyTraits, 'fields' | 'unique'>): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { schema, required: must }]) => {
      const entry = unique.includes(name)
        ? described(schema, `${findDescription(schema)} Unique in the project.`)
        : schema;
      return [name, must ? entry : nullable(entry)];
    }),
  );
}

/** Derives the entry of a project file. The loader assigns ids and dates. */
function fileEntryOf(traits: AnyTraits, dates: v.ObjectEntries) {
  const leavable = Object.entries(traits.fields).filter(([, { leftOut }]) => leftOut !== undefined);
  return object({
    id: v.optional(identifier),
    ...entriesOf(traits),
    ...Object.fromEntries(leavable.map(([name, { schema, leftOut }]) => [name, v.optional(schema, leftOut)])),
    ...dates,
  });
}

/** Counters that the service keeps: the changes of a resource, and the children of a parent. */
const kept = { revision: v.optional(count), children: v.optional(count) };

/** Returns the entries of a reply. A field with a value for emptiness is always present. */
function alwaysShown({ fields, empty = {} }: AnyTraits): v.ObjectEntries {
  const shown = Object.entries(empty).map(([name, nothing]) => {
    const schema = fields[name]?.schema ?? dateTime;
    return [name, nothing === null ? v.nullable(schema) : schema];
  });
  return Object.fromEntries(shown);
}

function withoutField<E extends object>(entries: E, field: string | undefined): E {
  const others = { ...entries };
  if (field !== undefined) Reflect.deleteProperty(others, field);
  return others;
}

function capitalised(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const fileDates = { created_at: v.optional(dateTime), updated_at: nullable(dateTime) };

/**
 * Describes a resource once. Its item, reply, bodies, list and entry in project files are derived. `name` is its `object`, such as
 * `product_collection`.
 */
export function resource<const N extends string, const F extends Fields, P extends Parent | undefined = undefined>(
  name: N,
  traits: Traits<F, P>,
) {
  const entries = entriesBy(traits);
  const own = { id: v.string(), ...entries, created_at: dateTime, updated_at: v.optional(dateTime) };
  return {
    ...derived(name, traits, { ...own, object: v.literal(name) }),
    ...bodiesOf(entries, traits),
    ...standing(name, traits.parent, own, traits.family),
    fileEntry: fileEntryOf(traits, fileDates),
  };
}

/** Describes a resource that is shown without dates and without an `object`. */
export function bareResource<const N extends string, const F extends Fields, P extends Parent | undefined = undefined>(
  name: N,
  traits: Traits<F, P>,
) {
  const entries = entriesBy(traits);
  const own = { id: v.string(), ...entries };
  return {
    ...derived(name, traits, own),
    ...bodiesOf(entries, traits),
    ...standing(name, traits.parent, own, traits.family),
    fileEntry: fileEntryOf(traits, {}),
  };
}

function entriesBy<F extends Fields>(traits: Traits<F>) {
  // The entries are derived separately. The mapped type describes what the code does for each.
  return entriesOf(traits) as EntriesOf<F>;
}

const knownId = { id: described(nullable(identifier), 'The id of an existing resource, which is then changed.') };

function bodiesOf<E extends v.ObjectEntries>(entries: E, { sourceId, parent }: Pick<AnyTraits, 'sourceId' | 'parent'>) {
  const sent = withoutField(entries, parent?.field);
  const known: object = sourceId ? knownId : {};
  return {
    /** Validates a body that creates or replaces a resource. */
    createBody: object({ ...known, ...sent }),
    /** Validates a body that changes the sent fields. */
    updateBody: object(v.partial(v.object(sent)).entries),
  };
}

/** Resources of one project share a partition if there are few, and so do children of one parent. */
function standing<E extends v.ObjectEntries, P extends Parent | undefined>(
  name: string,
  parent: P,
  own: E,
  family: Family | undefined,
) {
  const kindName = name.toUpperCase();
  const stored = object({ ...own, ...kept });
  const owner = {
    get kind() {
      return parent ? parent.of().many.kind : `${kindName}S`;
    },
  };
  const few = childKind<typeof stored, IdsTo<P>>(owner, kindName, stored, family ? { family } : {});
  return { stored, parent, few, many: kind(kindName, stored) };
}

function derived<N extends string, const E extends v.ObjectEntries>(name: N, traits: AnyTraits, shown: E) {
  const { prefix, fields, unique = [], number, orders = ['created_at'], dataRef = 'data', fileKey, parent } = traits;
  const more: object = { ...alwaysShown(traits), ...traits.shows };
  const walked: object = traits.filters ? moreEntries : {};
  const reply = named(capitalised(name), v.object({ ...shown, ...more }));
  const kindName = name.toUpperCase();
  return {
    name,
    idPrefix: `${prefix}_`,
    fields,
    unique,
    sourceId: traits.sourceId ?? false,
    empty: traits.empty ?? {},
    most: traits.most,
    number,
    orders,
    dataRef,
    fileKey,
    rules: traits.rules,
    loadedOnce: traits.loadedOnce ?? false,
    noted: traits.noted,
    unlimited: traits.unlimited ?? defaultLimit,
    reply,
    listReply: v.object({
      object: v.literal('list'),
      data_ref: v.literal(dataRef),
      [dataRef]: v.array(reply),
      total: v.number(),
      has_more: v.boolean(),
      ...walked,
    }),
    filters: traits.filters,
    listQuery: buildListQuery(orders, traits),
    claim: kind<typeof claimItem, [field: string, value: string]>(`${kindName}_CLAIM`, claimItem),
    /** Counts resources whose number is limited. */
    counter: kind<typeof countItem, []>(`${kindName}_COUNT`, countItem),
    listings: number === 'few' || parent ? [] : declareListings(kindName, orders, traits.spread),
    ofEach: traits.ofEach ? declareListingOfEach(kindName, traits.ofEach) : undefined,
  };
}
