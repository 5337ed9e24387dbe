import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Fact, makeFact } from './fact-tables.ts';

const name = v.optional(v.string());

const publication = v.object({
  id: v.string(),
  created_at: dateTime,
  result: v.string(),
  failure_code: name,
  campaign_id: name,
  campaign: name,
  voucher_type: name,
  customer_id: name,
  channel: v.string(),
  vouchers: v.optional(v.array(v.object({ id: v.string(), code: v.string() })), []),
});

/** Returns a fact for each published voucher, or one fact for a failure. */
export function findPublicationFacts(project: string, item: Attributes): Fact[] {
  const found = v.parse(publication, item);
  const vouchers = found.vouchers.length > 0 ? found.vouchers : [undefined];
  return vouchers.map((voucher, index) =>
    makeFact('publications', project, {
      fact_id: `${found.id}.${index}`,
      at_ms: Date.parse(found.created_at),
      publication_id: found.id,
      result: found.result,
      failure_code: found.failure_code ?? null,
      campaign_id: found.campaign_id ?? null,
      campaign_name: found.campaign ?? null,
      code_id: voucher?.id ?? null,
      code: voucher?.code ?? null,
      voucher_type: found.voucher_type ?? null,
      customer_id: found.customer_id ?? null,
      channel: found.channel,
    }),
  );
}
