import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { array, identifier, object, shortText } from '#kernel/core/schema.ts';
import type { Reading, Showing } from '#kernel/http/context.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Entry, type Listing, type Owner, sortKey, walkList } from '#kernel/table/listing.ts';
import type { FilterFields } from '../filters/fields.ts';
import { compileFilter, storedFilter } from '../filters/filter.ts';
import { findResourceSchema } from '../resource/claims.ts';
import type { Item, Resource } from '../resource/shape.ts';
import { type ExportColumns, findColumn, writeTitle } from './columns.ts';
import { writeCsvLine } from './csv-line.ts';

const maxFields = 500;

interface Parameters {
  readonly order?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  readonly campaign_id?: string | undefined;
  readonly bom?: boolean | undefined;
}

const bomWords =
  "Begins the file with a byte order mark, for spreadsheets. By default the project's setting `export_bom` decides.";

/** Clients may also send this outside the parameters. */
export const sentBom = { bom: v.optional(described(v.boolean(), bomWords)) };

/** The limits that a path sets. */
export const exportScope = v.object({ campaign_id: v.optional(v.string()), voucher_id: v.optional(v.string()) });

export type ExportScope = v.InferOutput<typeof exportScope>;

/** Another list, or a single element. */
export type Within = { readonly list: Listing; readonly owner: Owner } | { readonly only: Entry };

/** Describes exportable objects of a project. Each subject is one line. */
interface Described<S extends object> {
  /** The name of the object for callers. */
  readonly object: string;
  /** The list that the export walks, in the order of creation. */
  readonly list: Listing;
  /** The list of one campaign in the same order, if `campaign_id` is a parameter. */
  readonly ofCampaign?: Listing;
  /** Returns the list for the limits that a path sets. */
  readonly within?: (projectId: string, scope: ExportScope) => Within;
  /**
   * Reads the subjects of some elements, in their order. A deleted element has no subject. `filteredBy` names the
   * fields of the filter, for data that only a filter needs.
   */
  readonly read: (context: Showing, batch: readonly Entry[], filteredBy: ReadonlySet<string>) => Promise<readonly S[]>;
  readonly fields: ExportColumns<S>;
  /** The default columns. */
  readonly defaults: readonly string[];
  /** Fields by which a file can be ordered. */
  readonly orders: readonly string[];
  /** Values of orders that are not fields. */
  readonly places?: ExportColumns<S>;
  /** Subjects without a value in the order's field come last in either direction, instead of lowest. */
  readonly isLastWithout?: true;
  /** The order of the walked list itself. */
  readonly walked?: string;
  readonly filters: FilterFields<S>;
}

export interface ExportLine {
  readonly text: string;
  /** The place in the order. A line without a place comes last in either direction. */
  readonly at: string | undefined;
}

/** The lines of some elements of the list. */
export interface ExportLines {
  /** The last of the elements. The walk continues after it. */
  readonly behind: string;
  readonly lines: readonly ExportLine[];
}

/** Any exported object, in the form that requests and the worker need. */
export interface ExportedObject {
  readonly object: string;
  /** The names of all columns. */
  readonly columns: readonly string[];
  readonly parameters: v.GenericSchema<unknown, Parameters>;
  readonly order: v.GenericSchema<unknown, string>;
  /** Throws 400 `invalid_export_fields` if a field is unknown. */
  readonly checkFields: (parameters: Parameters) => void;
  readonly header: (parameters: Parameters) => string;
  /** Returns whether lines must be sorted, because their order differs from the walk's. */
  readonly isSorted: (parameters: Parameters) => boolean;
  readonly walk: (
    context: Showing,
    parameters: Parameters,
    from: { behind?: string | undefined; scope?: ExportScope | undefined },
  ) => AsyncGenerator<ExportLines>;
}

/** Limits the elements that are read together. */
const batchSize = 100;
/**
 * A walk reads its share of this from each partition of the list. Small shares would cost a call for every dozen
 * elements.
 */
const walkedAtOnce = 2_000;

export function isDescending({ order }: Parameters): boolean {
  return order?.startsWith('-') ?? false;
}

export function describeExport<S extends object>(it: Described<S>): ExportedObject {
  const { object: name, list, ofCampaign, within, read, fields, places, defaults, orders, walked, filters } = it;
  const { isLastWithout = false } = it;
  const ofOne = v.optional(described(identifier, 'Only objects of this campaign.'));
  const more: object = ofCampaign ? { campaign_id: ofOne } : {};
  const namesIn = (sent: Parameters) => (sent.fields?.length ? sent.fields : defaults);
  const orderIn = ({ order = '' }: Parameters) => order.replace('-', '');
  const order = v.picklist(orders.flatMap((one) => [one, `-${one}`]));
  const known = Object.keys(fields).join(', ');
  return {
    object: name,
    columns: Object.keys(fields),
    parameters: object({
      order: v.optional(described(order, 'The field to sort by. Without it, entries are sorted by creation.')),
      fields: v.optional(
        described(
          array(shortText, maxFields),
          `The columns of the file. The known columns are ${known}. Without it, the columns are ${defaults.join(', ')}.`,
        ),
      ),
      filters: v.optional(storedFilter(filters)),
      bom: v.optional(described(v.boolean(), bomWords)),
      ...more,
    }),
    order,
    checkFields: (sent) => {
      const foreign = namesIn(sent).filter((one) => !findColumn(fields, one));
      if (foreign.length === 0) return;
      const details = `parameters.fields has ${foreign.join(', ')}, which ${name} does not have: its fields are ${known}`;
      throw new ServiceError('invalid_export_fields', { details: details.slice(0, 1_000).toWellFormed() });
    },
    header: (sent) => writeCsvLine(namesIn(sent).map(writeTitle)),
    isSorted: (sent) => sent.order !== undefined && orderIn(sent) !== walked,
    walk: async function* (context, sent, { behind, scope }) {
      const { table, project, now } = context;
      const cells = namesIn(sent).map((one) => findColumn(fields, one));
      const place = findColumn({ ...places, ...fields }, orderIn(sent));
      const ofOne = ofCampaign && sent.campaign_id ? [sent.campaign_id] : [];
      const whole = {
        list: ofOne.length > 0 && ofCampaign ? ofCampaign : list,
        owner: [project.id, ...ofOne] as const,
      };
      const source = (scope && within?.(project.id, scope)) ?? whole;
      const matches = compileFilter(filters, sent.filters ?? {}, findResourceSchema(project, it.object));
      const filteredBy = new Set(Object.keys(sent.filters ?? {}));
      const descending = orderIn(sent) === walked && isDescending(sent);
      const range = { descending, behind, atOnce: walkedAtOnce };
      const elements =
        'only' in source ? single(source.only, behind) : walkList(table, source.list, source.owner, range);
      for await (const batch of splitIntoBatches(elements, batchSize)) {
        const found = (await read(context, batch, filteredBy)).filter((subject) => matches(subject, now));
        const lines = found.map((subject) => ({
          text: writeCsvLine(cells.map((cell) => cell?.(subject, project.decimals))),
          at: placeOf(place?.(subject, project.decimals), isLastWithout),
        }));
        yield { behind: batch.at(-1)?.at ?? '', lines };
      }
    },
  };
}

function single(one: Entry, behind: string | undefined): Entry[] {
  return one.at === behind ? [] : [one];
}

function placeOf(value: unknown, isLastWithout: boolean): string | undefined {
  if (isLastWithout && value == null) return undefined;
  return typeof value === 'number' ? sortKey(value) : String(value ?? '');
}

/** Exports a plain resource that is listed in the order of creation. `show` prepares each for filters and columns. */
export function describePlainExport<S>(resource: Resource, show: (item: Item) => S) {
  const [first] = resource.listings;
  if (!first) throw new Error(`${resource.name} has no list`);
  const read = async ({ table }: Reading, batch: readonly Entry[]): Promise<S[]> => {
    const items = await table.getMany(batch.map(({ key }) => key));
    const there = items.filter((item) => item !== undefined).filter(({ deleted_at }) => deleted_at === undefined);
    return there.map((item) => show(parseStored(resource.stored, item)));
  };
  return { list: first.listing, walked: first.order, read };
}
