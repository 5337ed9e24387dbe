import { endingsOf } from '../../http/holds/locks.ts';
import type { Counted } from '../../rules/counter.ts';
import { campaignIdOf, type Target } from './targets.ts';

interface By {
  readonly caller?: { readonly appId: string } | undefined;
}

/** Returns the redeemable, campaign, customer and API key by which counters count. */
export function countedOf({ caller }: By, target: Target, customer: string | undefined): Counted {
  const { voucher, tier, asked } = target;
  return {
    redeemable: {
      object: asked.object === 'voucher' ? 'voucher' : 'promotion_tier',
      id: voucher?.id ?? tier?.id ?? asked.id,
      created_at: voucher?.created_at,
      sessions_ended: endingsOf(target.stored),
    },
    campaign_id: campaignIdOf(target),
    customer,
    api_key: caller?.appId,
  };
}
