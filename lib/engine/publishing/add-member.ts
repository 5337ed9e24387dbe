import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import { memberOr404 } from '#engine/loyalty/member-path.ts';
import type { Voucher } from '#engine/vouchers/voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { identifier, nullable, object } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { createPublicationBody, readAskedPublication } from './publication-body.ts';
import { publish } from './publish.ts';

const { source_id, metadata, channel } = createPublicationBody.entries;

export const addMemberBody = object({
  customer: described(
    v.union([identifier, described(createCustomerBody, 'The customer.')]),
    'The customer who becomes a member. The request creates or changes this customer. A text is an id or source id.',
  ),
  voucher: described(
    nullable(identifier),
    'The code or id of the card. Without it, the customer gets an unassigned card.',
  ),
  source_id,
  metadata,
  channel,
});

type Body = v.InferOutput<typeof addMemberBody>;

/** Finds the customer. A text is the id of an existing customer, else a source id, which may be new. 404 for an unknown id. */
async function customerNamed(context: Writing, customer: Body['customer']) {
  if (typeof customer !== 'string') return customer;
  const found = await findCustomerItem(context, customer);
  if (!found && customer.startsWith(idPrefixes.customer)) throw notFound('customer', customer);
  return found ? { id: found.id } : { source_id: customer };
}

/** Publishes a card of the programme to a customer, and returns it. A member gets their existing card. */
export async function addMember(context: Writing, campaignId: string, body: Body): Promise<Voucher> {
  const { voucher, customer, ...sent } = body;
  const campaign = await campaignOr404(context, campaignId);
  checkLoyaltyCampaign(campaign, campaignId);
  const card = voucher ? await memberOr404(context, { campaignId: campaign.id, memberId: voucher }) : undefined;
  const what = card ? { voucher: card.code } : { campaign: campaign.id };
  const asked = readAskedPublication({ ...sent, ...what, customer: await customerNamed(context, customer) });
  const published = await publish(context, asked);
  if (!published.voucher) throw notFound('voucher', published.vouchers_id[0] ?? campaignId);
  return published.voucher;
}
