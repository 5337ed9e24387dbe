import type { CampaignTerms } from '../../campaigns/campaign-terms.ts';
import type { TargetRule } from './target-rules.ts';
import { campaignIdOf, type Target } from './targets.ts';

/** Returns the names of limits that other rules, or earlier ones, make a redeemable count. */
function namesKept({ voucher }: Target, campaign: CampaignTerms | undefined): string[] {
  return [...Object.keys(voucher?.counted_limits ?? {}), ...Object.keys(campaign?.counted_limits ?? {})];
}

/** Returns the names of limits for all redeemables of a request. */
export function namesKeptBy(targets: readonly Target[], campaigns: ReadonlyMap<string, CampaignTerms>): string[] {
  return targets.flatMap((one) => namesKept(one, campaigns.get(campaignIdOf(one) ?? '')));
}

/** Returns the names of all limits that its redemption moves. */
export function namesMoved(
  target: Target,
  campaign: CampaignTerms | undefined,
  rules: readonly TargetRule[],
): ReadonlySet<string> {
  const ofRules = rules.flatMap(({ compiled }) => [...compiled.needs.counters]);
  return new Set([...ofRules, ...namesKept(target, campaign)]);
}
