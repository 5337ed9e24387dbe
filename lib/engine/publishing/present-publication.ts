import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { briefCustomer, presentBriefly } from '#engine/customers/brief-customer.ts';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { noCategories } from '#engine/rules/categories/resource.ts';
import { showVoucher } from '#engine/vouchers/find-voucher.ts';
import { presentVoucher } from '#engine/vouchers/present-voucher.ts';
import type { PublicationItem } from '#engine/vouchers/publication.ts';
import { type Voucher, voucher, vouchers } from '#engine/vouchers/voucher.ts';
import { named } from '#kernel/core/documented.ts';
import { dateTime, metadata } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';

const shared = {
  id: v.string(),
  object: v.literal('publication'),
  created_at: dateTime,
  customer_id: v.nullable(v.string()),
  tracking_id: v.nullable(v.string()),
  metadata,
  channel: v.string(),
  source_id: v.nullable(v.string()),
  result: v.picklist(['SUCCESS', 'FAILURE']),
  failure_code: v.optional(v.string()),
  failure_message: v.optional(v.string()),
  /** Absent if the customer was deleted or unknown. */
  customer: v.optional(briefCustomer),
  vouchers_id: v.array(v.string()),
  /** The codes, if there are several. */
  vouchers: v.optional(v.array(v.string())),
};

const { validation_rules_assignments, ...withoutRules } = voucher.entries;
const { code, campaign, discount, gift, loyalty_card, is_referral_code } = withoutRules;

/** A voucher as given to a customer. Its rules are read with the voucher. */
const publishedVoucher = named('PublishedVoucher', v.object(withoutRules));

/** `voucher` is absent if there are several, or if it was deleted. */
export const publication = named('Publication', v.object({ ...shared, voucher: v.optional(publishedVoucher) }));

/** A publication with its whole voucher, of which replies to publications show a part. */
export interface Publication extends Omit<v.InferOutput<typeof publication>, 'voucher'> {
  readonly voucher?: Voucher | undefined;
}

const listedVoucher = v.object({
  code,
  object: v.literal('voucher'),
  campaign,
  discount: v.optional(discount),
  gift: v.optional(gift),
  loyalty_card: v.optional(loyalty_card),
  is_referral_code,
});

export const shownPublication = named('ListedPublication', v.object({ ...shared, voucher: v.optional(listedVoucher) }));

function present(item: PublicationItem, customer: CustomerItem | undefined) {
  const { id, created_at, customer_id = null, tracking_id = null, channel, source_id = null, result } = item;
  const { failure_code, failure_message, metadata, vouchers } = item;
  return {
    id,
    object: 'publication' as const,
    created_at,
    customer_id,
    tracking_id,
    metadata,
    channel,
    source_id,
    result,
    ...(failure_code === undefined ? {} : { failure_code }),
    ...(failure_message === undefined ? {} : { failure_message }),
    ...(customer ? { customer: presentBriefly(customer) } : {}),
    vouchers_id: vouchers.map((one) => one.id),
    ...(vouchers.length > 1 ? { vouchers: vouchers.map((one) => one.code) } : {}),
  };
}

function keysOf({ project }: Showing, { vouchers: given, customer_id }: PublicationItem) {
  const [first, ...others] = given;
  return {
    item: first && others.length === 0 ? vouchers(project.id, first.id) : undefined,
    customer: customer_id === undefined ? undefined : customers(project.id, customer_id),
  };
}

/** Shows a publication with the current voucher. */
export async function showPublication(context: Showing, item: PublicationItem): Promise<Publication> {
  const found = await read(context.table, keysOf(context, item));
  return {
    ...present(item, found.customer),
    ...(found.item ? { voucher: await showVoucher(context, found.item) } : {}),
  };
}

/** Shows publications of a list, in three calls for any number. */
export async function presentPublications(context: Showing, items: readonly PublicationItem[]) {
  const keys = items.map((item) => keysOf(context, item));
  const found = await read(context.table, {
    items: keys.map(({ item }) => item),
    people: keys.map(({ customer }) => customer),
  });
  const terms = await readTerms(
    context,
    found.items.map((item) => item?.campaign_id),
  );
  return items.map((item, index) => {
    const given = found.items[index];
    const shown = given && {
      ...presentVoucher(given, { ...context, campaign: terms.get(given.campaign_id ?? ''), categories: noCategories }),
    };
    const what = shown && {
      code: shown.code,
      object: shown.object,
      campaign: shown.campaign,
      ...(shown.discount ? { discount: shown.discount } : {}),
      ...(shown.gift ? { gift: shown.gift } : {}),
      ...(shown.loyalty_card ? { loyalty_card: shown.loyalty_card } : {}),
      is_referral_code: shown.is_referral_code,
    };
    return { ...present(item, found.people[index]), ...(what ? { voucher: what } : {}) };
  });
}
