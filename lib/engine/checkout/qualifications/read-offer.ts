import { notedVersions, offeredByVersion } from '#kernel/kit/offers/offer-notes.ts';
import { defaultStackingRules, type StackingRules } from '../engine/stacking-rules.ts';
import type { Calling } from '../request/build-redeemable.ts';
import { mergeRuleNeeds } from '../request/facts.ts';
import type { TargetRule } from '../request/target-rules.ts';
import { stackingRulesByVersion, stackingRules as stackingRulesKey } from '../stacking-rules/stored.ts';
import { compileOffer, offers, type ProjectOffer } from './project-offer.ts';

/** Reads a project's offer and its stacking rules. */

interface Offered {
  readonly shelf: ProjectOffer;
  readonly stackingRules: StackingRules;
}

/** Reads two small items in one call, if nothing has changed. */
export async function readOffer({ table, project }: Calling): Promise<Offered> {
  const [[stackingRules = defaultStackingRules], [offered]] = await Promise.all([
    stackingRulesByVersion.read(table, [stackingRulesKey(project.id)]),
    offeredByVersion.read(table, [notedVersions(project.id)]),
  ]);
  const offer = await offers.current(table, project.id, offered);
  return { shelf: compileOffer(offer), stackingRules };
}

export const hasCardRules = (rules: Iterable<TargetRule>) => {
  const { segments, loyaltyTiers } = mergeRuleNeeds(rules);
  return segments.size > 0 || loyaltyTiers;
};

/** Returns whether rules of the project need cards, as far as the container knows. */
export function canHaveCardRules({ table, project }: Calling): boolean {
  const offer = offers.guess(table, project.id);
  return offer !== undefined && compileOffer(offer).asksForCards;
}
