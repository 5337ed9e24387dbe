import * as v from 'valibot';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import {
  type ListedPublication,
  listedPublication,
  placePublicationIn,
  publicationItem,
  publications,
} from '#engine/vouchers/publication.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count, reference } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { pageQuery, readParsedPage, sentBoolean } from '#kernel/http/page.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { BatchFilter } from '#kernel/table/list-page.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { readSourcePage } from '#kernel/table/source-page.ts';
import { publicationFields } from './filter-fields.ts';
import { presentPublications, shownPublication } from './present-publication.ts';
import { findPublicationSource } from './publication-sources.ts';

/** Has a name, because some generators of clients would also name the reply `ListPublicationsResult`. */
const publicationResult = described(
  v.optional(named('PublicationOutcome', v.picklist(['SUCCESS', 'FAILURE']))),
  'Only publications with this result.',
);

const kinds = { discount: 'DISCOUNT_VOUCHER', loyalty: 'LOYALTY_CARD', gift: 'GIFT_VOUCHER' } as const;

export const publicationsListed = listed({
  key: 'publications',
  element: shownPublication,
  paging: pageQuery,
  orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'],
  byDefault: '-created_at',
  parameters: {
    campaign: described(v.optional(reference), 'Only publications from the campaign with this name or id.'),
    customer: described(v.optional(reference), 'Only publications to the customer with this id or source id.'),
    voucher: described(v.optional(reference), 'Only publications of the voucher with this code or id.'),
    source_id: described(v.optional(reference), 'Only the publication with this source id.'),
    result: v.optional(publicationResult),
    voucher_type: described(
      v.optional(v.picklist(['discount', 'loyalty', 'gift'])),
      'Only publications of this type of voucher.',
    ),
    is_referral_code: described(
      v.optional(sentBoolean),
      'Only publications of referral codes (`true`), or only others (`false`).',
    ),
  },
  filters: publicationFields,
  place: { total: count, has_more: v.boolean() },
});

export type ListPublicationsQuery = v.InferOutput<typeof publicationsListed.query>;

const listedOf = ({ listed }: Entry): ListedPublication => parseStored(listedPublication, listed);

/** Returns the filter beyond the source, or nothing if all elements match. */
function filterOf(query: ListPublicationsQuery, now: Date): ((one: ListedPublication) => boolean) | undefined {
  const { result, voucher_type, is_referral_code, filters } = query;
  const tests: ((one: ListedPublication) => boolean)[] = [];
  if (result) tests.push((one) => one.result === result);
  if (voucher_type) tests.push((one) => one.voucher_type === kinds[voucher_type]);
  if (is_referral_code !== undefined) tests.push((one) => (one.is_referral_code ?? false) === is_referral_code);
  const filter = filters && compileFilter(publicationFields, filters);
  if (filter) tests.push((one) => filter(one, now));
  return tests.length === 0 ? undefined : (one) => tests.every((test) => test(one));
}

/**
 * Lists publications. The orders of creation, customer and code cost a page and the keys before it. Publications of one customer or
 * campaign have an index. Other filters examine the keys of 10,000, and other orders sort the newest 10,000.
 */
export async function listPublications(context: Showing, query: ListPublicationsQuery) {
  const { table, project, now } = context;
  const order = publicationsListed.orderIn(query);
  const { source, also } = await findPublicationSource(context, query, order.field);
  const filter = filterOf(query, now);
  const fits = (one: ListedPublication) => (also?.(one) ?? true) && (filter?.(one) ?? true);
  const matches: BatchFilter | undefined = also || filter ? (batch) => batch.map(listedOf).map(fits) : undefined;
  const { page, total, next } = await readSourcePage(table, source, order, {
    placeIn: (field, entry) => placePublicationIn(field, listedOf(entry)),
    ...publicationsListed.wanted(query),
    matches,
  });
  const keys = page.map((entry) => publications(project.id, listedOf(entry).id));
  const shown = await presentPublications(context, await readParsedPage(table, publicationItem, keys));
  return publicationsListed.show(shown, { total, has_more: next !== undefined });
}

/** Lists the publications of one voucher, 404 if it is missing. */
export async function listVoucherPublications(
  context: Showing,
  code: string,
  query: Pick<ListPublicationsQuery, 'limit' | 'page'>,
) {
  await voucherOr404(context, code);
  return listPublications(context, { ...query, order: '-created_at', voucher: code });
}
