import { type PromotionStack, promotionStack } from '../../campaigns/promotions/promotion-tier.ts';
import type { Reading } from '../../http/context.ts';
import { readFew } from '../../kit/resource/operations.ts';
import { checkout } from '../engine/checkout.ts';
import type { Redeemable } from '../engine/redeemable.ts';
import { compileAskedRule } from '../request/asked-rules.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { type Candidate, makeStackCandidate, makeTierCandidate } from './candidate.ts';
import {
  buildCandidateRedeemable,
  evaluateCandidate,
  findCandidateRules,
  type Ground,
  type Qualified,
} from './evaluate.ts';
import type { ProjectOffer } from './project-offer.ts';

/** Reads the project's stacks. The offer tells which are complete. */
export async function readStacks(context: Reading): Promise<(shelf: ProjectOffer) => Candidate[]> {
  const stacks = await readFew(context, promotionStack);
  return ({ tiers, campaigns }) => {
    const tierOf = (id: string, stack: PromotionStack) => {
      const tier = tiers.get(id);
      return tier && makeTierCandidate(tier, campaigns.get(tier.campaign_id), stack);
    };
    return stacks.flatMap((stack) => makeStackCandidate(stack, (id) => tierOf(id, stack)) ?? []);
  };
}

/** Applies all tiers of a stack one after another. Returns nothing if one does not apply. */
function evaluateStack(candidate: Candidate, tiers: readonly Candidate[], ground: Ground): Qualified | undefined {
  const made = new Map<Redeemable, FoundRedeemable>();
  const of = (one: Redeemable) => {
    const own = made.get(one);
    if (!own) throw new Error('a tier is asked about that is not of this stack');
    return own;
  };
  const parts = tiers.map((tier) => {
    const rules = findCandidateRules(tier, ground).map((rule) => compileAskedRule(rule, ground.plan));
    const redeemable = buildCandidateRedeemable(tier, rules, ground, of);
    made.set(redeemable, redeemable);
    return { candidate: tier, rules, redeemable };
  });
  const { considered, order } = checkout(
    ground.order,
    parts.map(({ redeemable }) => redeemable),
    ground.options,
  );
  const members = considered.flatMap(({ redeemable, outcome }): Qualified[] => {
    const part = parts.find((one) => one.redeemable === redeemable);
    if (!part || outcome.status !== 'APPLICABLE') return [];
    return [{ ...part, outcome, order: outcome.order, bundle: undefined }];
  });
  if (members.length < parts.length) return undefined;
  return { candidate, redeemable: undefined, members, rules: [], outcome: undefined, order, bundle: undefined };
}

/** Evaluates a candidate by itself, or a stack as a whole. Returns nothing if it does not qualify. */
export function evaluateAny(candidate: Candidate, ground: Ground): Qualified | undefined {
  const { stack } = candidate;
  return stack ? evaluateStack(candidate, stack.tiers, ground) : evaluateCandidate(candidate, ground);
}
