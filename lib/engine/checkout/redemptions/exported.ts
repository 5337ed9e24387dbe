import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { formatMajorUnits, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { type RedemptionItem, redemptionFields, redemptionItem, redemptionLists } from './redemption.ts';

interface Subject extends RedemptionItem {
  readonly customer: CustomerItem | undefined;
}

export const exportedRedemptions = describeExport<Subject>({
  object: 'redemption',
  list: redemptionLists.created_at,
  walked: 'created_at',
  read: async ({ table, project }, batch) => {
    const stored = await table.getMany(batch.map(({ key }) => key));
    const items = stored.flatMap((item) => (item ? [parseStored(redemptionItem, item)] : []));
    const ids = [...new Set(items.flatMap(({ customer_id }) => customer_id ?? []))];
    const { people } = await read(table, { people: ids.map((id) => customers(project.id, id)) });
    const customerOf = new Map(people.map((customer) => [customer?.id, customer]));
    return items.map((item) => ({
      ...item,
      customer: item.customer_id ? customerOf.get(item.customer_id) : undefined,
    }));
  },
  fields: {
    ...plainColumns('id', 'object', 'voucher_code', 'customer_id', 'date', 'result', 'campaign'),
    promotion_tier_id: ({ related_object_type, related_object_id }) =>
      related_object_type === 'promotion_tier' ? related_object_id : undefined,
    customer_source_id: ({ customer }) => customer?.source_id,
    customer_name: ({ customer }) => customer?.name,
    ...plainColumns('tracking_id'),
    order_id: ({ order }) => order?.id,
    order_amount: ({ order }, decimals) => formatMajorUnits(order?.amount, decimals),
    gift_amount: ({ gift_credits }, decimals) => formatMajorUnits(gift_credits, decimals),
    loyalty_points: ({ points }) => points,
    ...plainColumns('failure_code', 'failure_message', 'metadata'),
  },
  places: { created_at: ({ date }) => date },
  defaults: ['id', 'object', 'voucher_code', 'customer_id', 'date', 'result'],
  orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at'],
  filters: {
    ...redemptionFields,
    created_at: { type: 'date', at: ({ date }: Subject) => date },
    campaign: { type: 'text', at: ({ campaign }: Subject) => campaign },
    customer: { type: 'text', at: ({ customer_id }: Subject) => customer_id },
    voucher: { type: 'text', at: ({ voucher_code }: Subject) => voucher_code },
    related_object: { type: 'text', at: ({ related_object_type }: Subject) => related_object_type },
    status: 'text',
  },
});
