import type { CustomerItem } from '../../customers/customer.ts';
import type { Upsert } from '../../customers/upsert-customer.ts';
import type { Caller, Reading } from '../../http/context.ts';
import type { Asked } from './checkout-body.ts';
import type { RequestFacts } from './facts.ts';
import type { FoundOrder } from './order.ts';
import type { Request } from './redeemable-of.ts';

interface About {
  readonly asked: Pick<Asked, 'metadata' | 'page'>;
  readonly customer: Pick<Upsert, 'before' | 'after'> | undefined;
  readonly order: Pick<FoundOrder, 'metadata'> | undefined;
  readonly facts: RequestFacts;
}

/** Returns the customer without what the page that creates them says of them. */
function unsaid(after: CustomerItem): CustomerItem {
  return { ...after, metadata: {}, birthdate: undefined, birthday: undefined };
}

/** What rules are judged by that is the same for all redeemables of a request. No metadata that a page sends is judged. */
export function requestOf(
  { project, now, caller }: Reading & { readonly caller?: Pick<Caller, 'appId'> | undefined },
  { asked, customer, order, facts }: About,
): Request {
  const { page } = asked;
  const { before } = customer ?? {};
  const after = customer && (page && !before ? unsaid(customer.after) : customer.after);
  const { segments, loyaltyTiers: loyalty_tiers } = facts;
  return {
    projectId: project.id,
    now,
    before,
    after,
    customer: after && { id: before?.id, metadata: after.metadata, segments, loyalty_tiers },
    orderMetadata: order?.metadata,
    redemptionMetadata: page ? undefined : asked.metadata,
    apiKey: caller?.appId,
  };
}
