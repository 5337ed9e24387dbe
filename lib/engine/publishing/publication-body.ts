import * as v from 'valibot';
import { createCustomerBody, readCustomerData } from '#engine/customers/customer-body.ts';
import type { NamedCustomer } from '#engine/customers/upsert-customer.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import { type ErrorKey, ServiceError } from '#kernel/core/errors.ts';
import { identifier, nullable, object, sentCount, sentMetadata, shortText } from '#kernel/core/schema.ts';
import { sentBoolean } from '#kernel/http/page.ts';

/** Limits the vouchers of one publication. */
const maxCount = 50;

const vouchersCount = shownAs(
  v.pipe(
    sentCount,
    v.check((count) => count >= 1 && count <= maxCount, `must be 1 to ${maxCount}`),
  ),
  {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: maxCount },
      { type: 'string', pattern: '^\\d{1,15}$' },
    ],
  },
);

const fields = {
  voucher: described(nullable(identifier), 'The code or id of a voucher. If it is sent, `campaign` is ignored.'),
  campaign: described(
    nullable(
      v.union([
        identifier,
        object({
          name: identifier,
          count: v.optional(vouchersCount, 1),
        }),
      ]),
    ),
    'The campaign whose free vouchers are taken: a name or id, or `name` and `count`.',
  ),
  customer: described(
    v.union([identifier, described(createCustomerBody, 'The customer.')]),
    'The customer who gets the vouchers. The publication creates or changes the customer. A text is a source id.',
  ),
  source_id: described(
    nullable(identifier),
    "The caller's own id of the publication. Unique in the project. The same id sent again is answered with the first publication.",
  ),
  metadata: nullable(sentMetadata),
  channel: described(nullable(shortText), 'The channel of the publication. Without it, the channel is `API`.'),
};

const joinOnce = {
  join_once: described(v.optional(sentBoolean), 'A customer with a voucher of the campaign gets that voucher again.'),
};

export const createPublicationBody = object(fields);

const createPublicationQuery = v.object(joinOnce);

/** Client libraries for browsers send the campaign in the address. */
export const browserPublicationQuery = v.object({
  ...joinOnce,
  campaign: described(v.optional(identifier), 'The name or id of a campaign. It wins over the campaign of the body.'),
});

/** The note, query, body and errors that the operations of servers and of pages share. */
export const publishing = {
  note:
    'A voucher that is named, or up to 50 free ones of a campaign, which makes more where it is AUTO_UPDATE and has none left. ' +
    'The same `source_id` for the same customer and voucher or campaign is answered with the first publication.',
  query: createPublicationQuery,
  body: createPublicationBody,
  errors: [
    'not_found',
    'duplicate_found',
    'missing_vouchers',
    'too_many_vouchers_requested',
    'voucher_already_published',
    'voucher_cannot_be_published',
    'no_voucher_suitable_for_publication',
    'invalid_code_config',
    'duplicate_source_id',
  ] satisfies ErrorKey[],
};

/** The body as names with brackets, for senders that can only open an address. */
export const publishByQuery = v.object({ ...fields, ...joinOnce });

export type PublicationSent = v.InferOutput<typeof createPublicationBody> &
  v.InferOutput<typeof createPublicationQuery>;

/** A request for a publication, in one form. */
export interface AskedPublication {
  readonly target: { readonly voucher: string } | { readonly campaign: string; readonly count: number };
  readonly customer: NamedCustomer;
  readonly sourceId: string | undefined;
  readonly metadata: Record<string, unknown>;
  readonly channel: string;
  readonly joinOnce: boolean;
  /** True if a browser calls. Only vouchers in the campaign's `client_publication` are possible then. */
  readonly isFromBrowser?: boolean;
}

function targetOf({ voucher, campaign }: PublicationSent): AskedPublication['target'] {
  if (voucher) return { voucher };
  if (typeof campaign === 'string') return { campaign, count: 1 };
  if (campaign) return { campaign: campaign.name, count: campaign.count };
  throw new ServiceError('missing_vouchers', { details: 'voucher or campaign is required' });
}

/**
 * Throws 400 `missing_vouchers` if the request names no voucher, and `too_many_vouchers_requested` if only a single
 * voucher is possible.
 */
export function readAskedPublication(
  sent: PublicationSent,
  { atMost = maxCount, why: whyOne = 'a query publishes a single voucher' }: { atMost?: number; why?: string } = {},
): AskedPublication {
  const target = targetOf(sent);
  const { customer, source_id, metadata, channel, join_once } = sent;
  const count = 'count' in target ? target.count : 1;
  if (count > (source_id ? 1 : atMost)) {
    const why = source_id ? 'a publication with a source_id has a single voucher' : whyOne;
    throw new ServiceError('too_many_vouchers_requested', { details: `campaign.count must be 1: ${why} voucher` });
  }
  const { id, source_id: trackingId, ...data } = typeof customer === 'string' ? { source_id: customer } : customer;
  return {
    target,
    customer: { id, source_id: trackingId, ...readCustomerData(data) },
    sourceId: source_id ?? undefined,
    metadata: metadata ?? {},
    channel: channel ?? 'API',
    joinOnce: join_once ?? false,
  };
}
