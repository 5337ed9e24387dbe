import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { computeOffset } from '#kernel/http/page.ts';
import type { FilterFields } from '../filters/fields.ts';
import { type Filter, filterQuery } from '../filters/filter.ts';

/** Describes a list: its elements, and the parameters that select some of them. */
interface Described {
  /** The field of the reply with the elements. */
  readonly key: string;
  readonly element: v.GenericSchema;
  /** The parameters that select a page: `pageQuery`, `limitQuery`, `cursorQuery` or several of them. */
  readonly paging: v.ObjectEntries;
  readonly orders: readonly [string, ...string[]];
  readonly byDefault: string;
  readonly orderWords?: string;
  /** Further parameters. */
  readonly parameters?: v.ObjectEntries;
  readonly filters?: FilterFields<never>;
  /** The fields of the reply besides the elements, such as the total. */
  readonly place: v.ObjectEntries;
}

type FieldOf<D extends Described> = D['orders'][number];

type OrderOf<D extends Described> = FieldOf<D> | `-${FieldOf<D>}`;

type PartOf<D, K extends string> = D extends Readonly<Record<K, infer P>> ? P : unknown;

type QueryEntries<D extends Described> = D['paging'] &
  PartOf<D, 'parameters'> & { order: v.GenericSchema<string | undefined, OrderOf<D>> } & (D extends { filters: object }
    ? { filters: v.OptionalSchema<v.GenericSchema<Filter>, undefined> }
    : unknown);

type ReplyEntries<D extends Described> = {
  object: v.LiteralSchema<'list', undefined>;
  data_ref: v.LiteralSchema<D['key'], undefined>;
} & { [K in D['key']]: v.ArraySchema<D['element'], undefined> } & D['place'];

interface Sent<D extends Described> {
  readonly limit: number;
  readonly page?: number;
  readonly order: OrderOf<D>;
}

export interface Listed<D extends Described> {
  readonly query: v.ObjectSchema<QueryEntries<D>, undefined>;
  readonly reply: v.ObjectSchema<ReplyEntries<D>, undefined>;
  /** Splits the order of a query into its field and its direction. */
  readonly orderIn: (query: Pick<Sent<D>, 'order'>) => { field: FieldOf<D>; descending: boolean };
  /** Returns the page that a query requests, in the terms of reads. */
  readonly wanted: (query: Sent<D>) => { limit: number; offset: number; descending: boolean };
  /** Returns the reply with these elements. */
  readonly show: (
    elements: v.InferInput<D['element']>[],
    place: v.InferInput<v.ObjectSchema<D['place'], undefined>>,
  ) => v.InferInput<v.ObjectSchema<ReplyEntries<D>, undefined>>;
}

/** Derives the schemas of a list's query and reply from its description. */
export function listed<const D extends Described>(it: D): Listed<D>;
export function listed(it: Described): object {
  const { key, element, paging, orders, byDefault, parameters, filters, place } = it;
  const { orderWords = 'The field that orders the list. A leading dash means descending.' } = it;
  const order = v.picklist(orders.flatMap((field) => [field, `-${field}`]));
  return {
    query: v.object({
      ...paging,
      order: described(v.optional(order, byDefault), orderWords),
      ...parameters,
      ...(filters ? { filters: v.optional(filterQuery(filters)) } : {}),
    }),
    reply: v.object({ object: v.literal('list'), data_ref: v.literal(key), [key]: v.array(element), ...place }),
    orderIn: (query: { order: string }) => ({
      field: query.order.replace('-', ''),
      descending: query.order.startsWith('-'),
    }),
    wanted: ({ limit, page = 1, order: by }: { limit: number; page?: number; order: string }) => ({
      limit,
      offset: computeOffset({ limit, page }),
      descending: by.startsWith('-'),
    }),
    show: (elements: unknown[], more: object) => ({ object: 'list', data_ref: key, [key]: elements, ...more }),
  };
}
