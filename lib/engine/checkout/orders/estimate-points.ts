import * as v from 'valibot';
import { findLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { createCustomerBody, readCustomerData } from '#engine/customers/customer-body.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import { findUpserted } from '#engine/customers/upsert-customer.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import { type EarningProgramme, listEventCollections, Programmes } from '#engine/loyalty/earning/earning-programmes.ts';
import { chooseCard, type Occurrence, sumProgrammePoints } from '#engine/loyalty/earning/gains.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { count, object } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { findItem } from '#kernel/kit/resource/item.ts';
import { parseStored } from '#kernel/table/item.ts';
import { mergeLines } from './figures.ts';
import { addCollections, buildNextOrder, isEarningNow, prepareLines } from './next-order.ts';
import { createOrderBody, sentOrder } from './order-body.ts';
import { type OrderItem, order as orders } from './resource.ts';

const { id, source_id, amount, initial_amount, discount_amount, items, metadata } = createOrderBody.entries;

export const estimateBody = object({
  customer: described(createCustomerBody, 'The customer who would pay the order, with the sent fields.'),
  order: described(
    sentOrder({ id, source_id, amount, initial_amount, discount_amount, items, metadata }),
    'The order, with the same fields as in `POST /v1/orders`. Sent fields take precedence over stored fields.',
  ),
});

type Body = v.InferOutput<typeof estimateBody>;

export const pointsEstimate = named(
  'PointsEstimate',
  v.object({
    campaign: v.object({ id: v.string(), name: v.string(), object: v.literal('campaign') }),
    points_estimation: count,
  }),
);

/** Throws a 400 if the programme gives nothing to a holder of these cards, for any order. */
function checkEarns({ campaign }: EarningProgramme, { held }: Pick<Occurrence, 'held'>, now: Date): void {
  const resource = { id: campaign.id, type: 'campaign' } as const;
  const refusal = findVoucherRefusal({ campaign_id: campaign.id }, campaign, now);
  if (refusal) {
    throw new ServiceError('campaign_not_active', { details: `campaignId: the programme ${refusal.fault}`, resource });
  }
  const { isHolder, item } = chooseCard({ held }, { campaign }, now);
  if (!isHolder && !campaign.auto_join) {
    throw new ServiceError('campaign_not_allow_auto_join', {
      details: 'customer must be a member of the programme, for it has no auto_join',
      resource,
    });
  }
  if (!isHolder || item) return;
  const [card] = held.filter(({ campaign_id }) => campaign_id === campaign.id);
  const fault = card && findVoucherRefusal(card, campaign, now)?.fault;
  throw new ServiceError('loyalty_card_not_active', {
    details: `customer must have a card of the programme that can be used; theirs ${fault}`,
    ...(card ? { resource: { id: card.code, type: 'voucher' } } : {}),
  });
}

/** Returns the order as if it were paid, or `undefined` if it was paid and earns no more. */
async function paidOrder(context: Reading, { id, ...body }: Body['order'], customerId: string) {
  const names = id ? { id } : body.source_id ? { source_id: body.source_id } : undefined;
  const item = names && (await findItem(context, orders, names));
  if (id && !item) throw notFound('order', id);
  const before: OrderItem | undefined = item && parseStored(orders.stored, item);
  const prepared = body.items ? await prepareLines(context, body.items, { isStored: false }) : undefined;
  const lines = prepared && mergeLines(prepared.lines, before?.items);
  const people = { customer_id: customerId, referrer_id: undefined };
  const after = buildNextOrder(before, { body: { ...body, status: 'PAID' }, lines, people }, context.now);
  return isEarningNow(before, after) ? after : undefined;
}

/** Returns the points that the paid order would earn its customer in the programme, including pending points. */
export async function estimatePoints(
  context: Reading,
  idOrName: string,
  { customer, order }: Body,
): Promise<v.InferOutput<typeof pointsEstimate>> {
  const { item: found } = await findLoyaltyCampaign(context, idOrName);
  const programmes = new Programmes(context);
  const programme = (await programmes.get([found.id])).get(found.id);
  if (!programme) throw notFound('campaign', idOrName);
  const { id: ownId, source_id, ...data } = customer;
  const { before, after } = await findUpserted(context, { id: ownId, source_id, ...readCustomerData(data) });
  const held = before ? await findHeldCards(context, before.id) : [];
  checkEarns(programme, { held }, context.now);

  const paid = await paidOrder(context, order, after.id);
  const items = paid && (await addCollections(context, paid.items, listEventCollections([programme], orderPaid)));
  const { id: customerId, metadata: customerMetadata, birthdate: customerBirthdate } = after;
  const occurrence = { event: orderPaid, metadata: {}, customerMetadata, customerBirthdate, customerId, held };
  const { id: campaignId, name } = programme.campaign;
  return {
    campaign: { id: campaignId, name, object: 'campaign' },
    points_estimation:
      paid && items
        ? await sumProgrammePoints(context, programmes, programme, { ...occurrence, order: { ...paid, items } })
        : 0,
  };
}
