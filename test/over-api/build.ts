import type { Api } from './api.ts';
import { Building } from './building.ts';
import * as campaign from './campaign-steps.ts';
import * as catalogue from './catalogue-steps.ts';
import * as loyalty from './loyalty-steps.ts';
import type { Project } from './project.ts';

/**
 * The order in which a project is made: what is named before what names it, what was used before what forbids it, and points that
 * stand in the file before the rules that would give more for the same.
 */
const steps: readonly ((building: Building) => Promise<void>)[] = [
  catalogue.settings,
  catalogue.catalogue,
  catalogue.people,
  catalogue.validationRules,
  campaign.campaigns,
  loyalty.rewards,
  catalogue.orders,
  campaign.vouchers,
  loyalty.pointsToUse,
  campaign.uses,
  loyalty.pointsLeft,
  loyalty.earningRules,
  loyalty.tiers,
  loyalty.pendingPoints,
  catalogue.promotions,
  catalogue.referees,
  catalogue.validationRulesAgain,
  catalogue.assignRules,
  campaign.restrict,
];

/** Makes everything of an exported project over HTTP, in a project that has nothing but keys. */
export async function build(file: Project, api: Api): Promise<Building> {
  const building = new Building(api, file);
  for (const step of steps) await step(building);
  await api.settle();
  return building;
}
