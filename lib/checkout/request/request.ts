import { checkBySchema } from '../../core/metadata/check.ts';
import type { CustomerItem } from '../../customers/customer.ts';
import type { Upsert } from '../../customers/upsert-customer.ts';
import type { Reading } from '../../http/context.ts';
import type { RuleRequest } from './build-redeemable.ts';
import type { Asked } from './checkout-body.ts';
import type { RequestFacts } from './facts.ts';
import type { FoundOrder } from './order.ts';

interface About {
  readonly asked: Pick<Asked, 'metadata' | 'browser'>;
  readonly customer: Pick<Upsert, 'before' | 'after'> | undefined;
  readonly order: Pick<FoundOrder, 'metadata'> | undefined;
  readonly facts: RequestFacts;
}

/** The context of a checkout. A validation of a browser has no caller. */
export type Calling = Reading & {
  readonly caller?: { readonly appId: string; readonly automatic?: true } | undefined;
};

/** Checks the redemption's metadata. Validations and automatic redemptions need no required keys. */
export function checkSentMetadata({ project, caller }: Calling, { metadata = {} }: Asked, isStored: boolean): void {
  const isNew = isStored && !caller?.automatic;
  checkBySchema(project.schemas('redemption'), metadata, { place: 'metadata', before: isNew ? undefined : {} });
}

/** Returns the customer without the fields that the creating browser sends. */
function unsaid(after: CustomerItem): CustomerItem {
  return { ...after, metadata: {}, birthdate: undefined, birthday: undefined };
}

/** Returns the facts for rules that all redeemables of a request share. A page's metadata is never judged. */
export function buildRequest({ project, now, caller }: Calling, { asked, customer, order, facts }: About): RuleRequest {
  const { browser } = asked;
  const { before } = customer ?? {};
  const after = customer && (browser && !before ? unsaid(customer.after) : customer.after);
  const { areas, segments, loyaltyTiers: loyalty_tiers } = facts;
  return {
    projectId: project.id,
    schemas: project.schemas,
    now,
    areas,
    before,
    after,
    customer: after && { id: before?.id, metadata: after.metadata, segments, loyalty_tiers },
    orderMetadata: order?.metadata,
    redemptionMetadata: browser ? undefined : asked.metadata,
    apiKey: caller?.appId,
  };
}
