import { type PublicationItem, publicationLists, publications } from '#engine/vouchers/publication.ts';
import { plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { readItemsOf } from '#kernel/table/read.ts';
import { publicationFields } from './filter-fields.ts';

export const exportedPublications = describeExport<PublicationItem>({
  object: 'publication',
  list: publicationLists.created_at,
  walked: 'created_at',
  read: async ({ table }, batch) => {
    const items = await readItemsOf(table, publications, batch);
    return items.filter((item) => item !== undefined);
  },
  fields: {
    voucher_code: ({ vouchers }) => vouchers.map(({ code }) => code).join(' '),
    ...plainColumns('customer_id'),
    customer_source_id: ({ tracking_id }) => tracking_id,
    date: ({ created_at }) => created_at,
    ...plainColumns('channel', 'campaign'),
    // No campaign draws winners.
    is_winner: () => undefined,
    ...plainColumns('metadata', 'id', 'source_id', 'failure_code', 'failure_message'),
  },
  places: plainColumns('id', 'tracking_id', 'created_at'),
  defaults: ['voucher_code', 'customer_id', 'date', 'channel'],
  orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'],
  filters: {
    created_at: 'date',
    ...publicationFields,
    campaign: { type: 'text', at: ({ campaign }: PublicationItem) => campaign },
    customer: { type: 'text', at: ({ customer_id }: PublicationItem) => customer_id },
    voucher: { type: 'list', at: ({ vouchers }: PublicationItem) => vouchers.map(({ code }) => code) },
  },
});
