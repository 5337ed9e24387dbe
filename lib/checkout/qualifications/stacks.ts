import { promotionStack, type Stack } from '../../campaigns/stacks/stack.ts';
import type { Reading } from '../../http/context.ts';
import { all } from '../../kit/resource/plain.ts';
import { checkout } from '../engine/checkout.ts';
import type { Redeemable } from '../engine/redeemable.ts';
import { askedRule } from '../request/asked-rules.ts';
import type { FoundRedeemable } from '../request/redeemable-of.ts';
import { type Candidate, stackCandidate, tierCandidate } from './candidate.ts';
import { evaluate, type Ground, type Qualified, redeemableFor, rulesOf } from './evaluate.ts';
import type { Shelf } from './shelf.ts';

/** Reads the project's stacks. The offer tells which are complete. */
export async function readStacks(context: Reading): Promise<(shelf: Shelf) => Candidate[]> {
  const stacks = await all(context, promotionStack);
  return ({ tiers, campaigns }) => {
    const tierOf = (id: string, stack: Stack) => {
      const tier = tiers.get(id);
      return tier && tierCandidate(tier, campaigns.get(tier.campaign_id), stack);
    };
    return stacks.flatMap((stack) => stackCandidate(stack, (id) => tierOf(id, stack)) ?? []);
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
    const rules = rulesOf(tier, ground).map((rule) => askedRule(rule, ground.plan));
    const redeemable = redeemableFor(tier, rules, ground, of);
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
  return stack ? evaluateStack(candidate, stack.tiers, ground) : evaluate(candidate, ground);
}
