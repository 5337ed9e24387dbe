import type { CampaignTerms } from '../../campaigns/campaign-terms.ts';
import type { TargetRule } from './target-rules.ts';
import { campaignIdOf, type Target } from './targets.ts';

/** Names of limits that rules of other codes, or of another time, make a redeemable count. */
function namesKept({ voucher }: Target, campaign: CampaignTerms | undefined): string[] {
  return [...Object.keys(voucher?.counted_limits ?? {}), ...Object.keys(campaign?.counted_limits ?? {})];
}

/** The same of all redeemables of a request. */
export function namesKeptBy(targets: readonly Target[], campaigns: ReadonlyMap<string, CampaignTerms>): string[] {
  return targets.flatMap((one) => namesKept(one, campaigns.get(campaignIdOf(one) ?? '')));
}

/** Names of all limits that a redemption of it moves. */
export function namesMoved(
  target: Target,
  campaign: CampaignTerms | undefined,
  rules: readonly TargetRule[],
): ReadonlySet<string> {
  const ofRules = rules.flatMap(({ compiled }) => [...compiled.needs.counters]);
  return new Set([...ofRules, ...namesKept(target, campaign)]);
}
