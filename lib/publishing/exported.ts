import { columns } from '../kit/exports/columns.ts';
import { exported } from '../kit/exports/exported.ts';
import { readItemsOf } from '../table/read.ts';
import { type PublicationItem, publicationLists, publications } from '../vouchers/publication.ts';
import { publicationFields } from './fields.ts';

export const exportedPublications = exported<PublicationItem>({
  object: 'publication',
  list: publicationLists.created_at,
  walked: 'created_at',
  read: async ({ table }, batch) => {
    const items = await readItemsOf(table, publications, batch);
    return items.filter((item) => item !== undefined);
  },
  fields: {
    voucher_code: ({ vouchers }) => vouchers.map(({ code }) => code).join(' '),
    ...columns('customer_id'),
    customer_source_id: ({ tracking_id }) => tracking_id,
    date: ({ created_at }) => created_at,
    ...columns('channel', 'campaign'),
    // No campaign draws winners.
    is_winner: () => undefined,
    ...columns('metadata'),
  },
  places: columns('id', 'tracking_id', 'created_at'),
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
