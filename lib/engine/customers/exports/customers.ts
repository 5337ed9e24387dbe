import type { ListedPublication } from '#engine/vouchers/publication.ts';
import { normaliseEmail } from '#kernel/core/email-address.ts';
import { type ExportColumns, formatMajorUnits, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { customerLists } from '../change-customer.ts';
import { addressFields, type Customer } from '../customer.ts';
import { redemptionTotalNames } from '../customer-figures.ts';

const amountsOfOrders = ['total_amount', 'average_amount', 'last_order_amount'] as const;

/** Holds a customer, with publications if a filter needs them. */
interface Subject extends Customer {
  readonly publications?: readonly ListedPublication[];
}

const ofPublications = ['publications.created_at', 'publications.related_object_id'] as const;

function prefixed<N extends string>(
  prefix: string,
  names: readonly N[],
  read: (subject: Customer, name: N, decimals: number) => unknown,
) {
  const named = names.map((name) => [
    `${prefix}_${name}`,
    (subject: Customer, decimals: number) => read(subject, name, decimals),
  ]);
  return Object.fromEntries(named) as ExportColumns<Customer>;
}

export const exportedCustomers = describeExport<Subject>({
  object: 'customer',
  list: customerLists.created_at,
  walked: 'created_at',
  read: async (context, batch, filteredBy) => {
    // Only the worker loads this file: a request for an export reads no customers.
    const { readExportedCustomers } = await import('./read-customers.ts');
    const ids = batch.map(({ listed }) => String(listed.id));
    return readExportedCustomers(context, ids, {
      withPublications: ofPublications.some((name) => filteredBy.has(name)),
    });
  },
  fields: {
    ...plainColumns('name', 'source_id', 'id', 'description', 'email', 'phone', 'birthday', 'birthdate'),
    ...plainColumns('created_at', 'updated_at', 'metadata'),
    ...prefixed('address', addressFields, ({ address }, name) => address?.[name]),
    ...prefixed('redemptions', redemptionTotalNames, ({ summary }, name) => summary.redemptions[name]),
    ...prefixed('orders', amountsOfOrders, ({ summary }, name, decimals) =>
      formatMajorUnits(summary.orders[name], decimals),
    ),
    orders_total_count: ({ summary }) => summary.orders.total_count,
    orders_last_order_date: ({ summary }) => summary.orders.last_order_date,
    loyalty_points: ({ loyalty }) => loyalty.points,
    loyalty_referred_customers: ({ loyalty }) => loyalty.referred_customers,
    // Each of these is a JSON object, as replies show it, because some figures have no column.
    ...plainColumns('summary', 'loyalty', 'referrals', 'system_metadata'),
  },
  defaults: ['name', 'source_id'],
  orders: ['name', 'id', 'email', 'source_id', 'created_at', 'updated_at'],
  filters: {
    created_at: 'date',
    updated_at: 'date',
    email: { type: 'text', at: ({ email }: Customer) => email, form: normaliseEmail },
    name: 'text',
    city: { type: 'text', at: ({ address: lives }: Customer) => lives?.city },
    phone: 'text',
    birthday: 'date',
    source_id: 'text',
    'metadata.*': 'any',
    [ofPublications[0]]: {
      type: 'date',
      at: ({ publications = [] }: Subject) => publications.map(({ created_at }) => created_at),
      isEach: true,
    },
    [ofPublications[1]]: {
      type: 'list',
      at: ({ publications = [] }: Subject) => publications.flatMap(({ vouchers }) => vouchers.map(({ id }) => id)),
    },
  },
});
