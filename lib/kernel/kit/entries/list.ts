import * as v from 'valibot';
import { isRecord } from '#kernel/core/is-record.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { dateTime, identifier, nullable, object } from '#kernel/core/schema.ts';
import { explainUnstorable } from '#kernel/core/storable.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { ItemWrite } from './item-write.ts';
import type {
  Addend,
  Draft,
  EntryFields,
  Exporting,
  HeldEntries,
  ListFacts,
  LoadContext,
  Making,
  Name,
  Reference,
  Traits,
} from './traits.ts';

/**
 * Describes a list of project files next to its subject. The description has the schema, names, references and rules of
 * entries, and the items for loading and export. `lib/addons/admin/project-file/` walks over all lists.
 */

/** An entry of any list. */
export interface ListEntry {
  readonly value: EntryFields;
  readonly names: readonly Name[];
  readonly references: readonly (readonly Reference[])[];
  readonly addends: readonly Addend[];
  /** Faults between the entry and held entries. Entries with equal `text` have the same faults. */
  readonly against: { readonly text: string; readonly faults: (file: HeldEntries) => Iterable<string> } | undefined;
  readonly partOf: string | undefined;
  lookups(projectId: string, voucherId: LoadContext['voucherId']): ItemKey[];
  items(making: Making): readonly ItemWrite[];
  part(making: Making): { owner: string; id: string; value: EntryFields } | undefined;
}

export interface FileList<E = EntryFields> extends ListFacts {
  /** The key of the list. */
  readonly key: string;
  readonly schema: EntrySchema<unknown>;
  /** Turns a reply into the form of an entry. */
  fromReply(value: unknown): unknown;
  /** Parses an entry, or a reply. Faults are lines that begin with the place. */
  parse(value: unknown, place: string): { entry?: ListEntry; faults: string[] };
  /** Returns whether this list has made the held entry. */
  isEntry(value: unknown): value is E;
  readonly together: ((entries: readonly EntryFields[], around: LoadContext) => ItemWrite) | undefined;
  entries(item: Attributes, exporting: Exporting): readonly Draft[];
}

type Dating = Pick<Making, 'id' | 'now'>;

type EntrySchema<E> = v.GenericSchema<unknown, E> & { readonly entries: v.ObjectEntries };

/** Appends a fault to its place: `field rule`, or ` rule` for the entry itself. */
export function placeFault(place: string, fault: string): string {
  return fault.startsWith(' ') ? place + fault : `${place}.${fault}`;
}

/** An entry becomes an item, and its fields the attributes. */
const entryDepth = -1;

function literalOf(shown: v.GenericSchema | undefined): unknown {
  const schema = v.safeParse(v.object({ entries: v.object({ object: v.object({ literal: v.string() }) }) }), shown);
  return schema.success ? schema.output.entries.object.literal : undefined;
}

export function describeList<E extends EntryFields>(
  key: string,
  schema: EntrySchema<E>,
  traits: Traits<E>,
): FileList<E> {
  const { number = 'few', rules, names: fields, spelt, against, together, nulls = [], shown } = traits;
  const object = literalOf(shown);
  const held = new WeakSet<object>();
  const isEntry = (value: unknown): value is E => typeof value === 'object' && value !== null && held.has(value);

  function namesOf(entry: EntryFields): Name[] {
    return fields.flatMap((field) => {
      const value = entry[field];
      return value === null || value === undefined ? [] : [{ field, value: spelt?.(String(value)) ?? String(value) }];
    });
  }

  function againstOf(entry: E): ListEntry['against'] {
    if (!against) return undefined;
    const part = traits.alike ? traits.alike(entry) : entry;
    return part && { text: JSON.stringify(part), faults: (file) => against(part, file) };
  }

  function listEntry(value: E): ListEntry {
    return {
      value,
      get names() {
        return namesOf(value);
      },
      get references() {
        return traits.references?.(value) ?? [];
      },
      get addends() {
        return traits.addends?.(value) ?? [];
      },
      get against() {
        return againstOf(value);
      },
      get partOf() {
        return traits.part?.named(value).join(' ');
      },
      lookups: (projectId, voucherId) => traits.lookups?.(value, projectId, voucherId) ?? [],
      items: (making) => traits.items?.(value, making) ?? [],
      part: (making) => traits.part?.of(value, making),
    };
  }

  const fromReply = (value: unknown) => (traits.fromReply && isRecord(value) ? traits.fromReply(value) : value);

  function parse(value: unknown, place: string): { entry?: ListEntry; faults: string[] } {
    const result = v.safeParse(schema, fromReply(value));
    if (!result.success) return { faults: describeIssues(result.issues, '').map((fault) => placeFault(place, fault)) };
    const unkept = explainUnstorable(result.output, entryDepth);
    if (unkept !== undefined) return { faults: [`${place} ${unkept}`] };
    const own = [...(rules?.(result.output) ?? [])].map((fault) => placeFault(place, fault));
    if (own.length > 0) return { faults: own };
    if (number === 'few') held.add(result.output);
    return { entry: listEntry(result.output), faults: [] };
  }

  function plain(item: Attributes): Draft {
    const own = Object.keys(schema.entries).flatMap((name) => {
      const value = item[name] ?? (nulls.includes(name) ? null : undefined);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...Object.fromEntries(own), ...(object === undefined ? {} : { object }) };
  }

  return {
    key,
    schema,
    fromReply,
    parse,
    isEntry,
    called: traits.called,
    number,
    most: traits.most,
    stage: traits.stage ?? (number === 'few' ? 1 : 2),
    shown,
    names: fields,
    apart: traits.apart,
    prefix: traits.prefix,
    unique: traits.unique ?? [],
    owner: traits.owner,
    kinds: traits.kinds ?? [],
    inside: traits.inside,
    needs: traits.needs,
    elsewhere: traits.elsewhere,
    together: together && ((entries, around) => together(entries.filter(isEntry), around)),
    entries: (item, exporting) => traits.entries?.(item, plain(item), exporting) ?? [plain(item)],
  };
}

/** Returns the list's entry with this name, if the file has it. */
export function findFileEntry<E>(file: HeldEntries, list: FileList<E>, name: string | null | undefined): E | undefined {
  const found = file.find(list.key, name);
  return list.isEntry(found) ? found : undefined;
}

type Optional = string | null | undefined;

/** Returns a reference if the field has a value. */
export function refer(field: string, list: string, value: Optional, by?: readonly string[]): Reference[] {
  return value === null || value === undefined ? [] : [{ field, list, value, ...(by ? { by } : {}) }];
}

export function toCategory({ category, category_id }: { category?: Optional; category_id?: Optional }): Reference[] {
  return [...refer('category', 'categories', category), ...refer('category_id', 'categories', category_id)];
}

export function toCampaign({ campaign, campaign_id }: { campaign?: Optional; campaign_id?: Optional }): Reference[] {
  return [...refer('campaign', 'campaigns', campaign), ...refer('campaign_id', 'campaigns', campaign_id)];
}

/** Describes entries with an id and with dates, all of which a file may leave out. */
export function datedEntry<const E extends v.ObjectEntries>(entries: E) {
  const dates = { created_at: v.optional(dateTime), updated_at: nullable(dateTime) };
  return object({ id: v.optional(identifier), ...entries, ...dates });
}

/** Returns the item of an entry with an id and dates, and the attributes that the file sets only on a new item. */
export function keepDated(schema: { readonly entries: v.ObjectEntries }, entry: EntryFields, { id, now }: Dating) {
  const item = { ...listAttributes(schema, entry), id, created_at: entry.created_at ?? now };
  return { item, once: ['created_at', 'updated_at'] };
}

/** Returns all attributes that entries of the schema can have, so that missing attributes are cleared. */
export function listAttributes(schema: { readonly entries: v.ObjectEntries }, entry: EntryFields): Attributes {
  return Object.fromEntries(Object.keys(schema.entries).map((name) => [name, entry[name] ?? undefined]));
}
