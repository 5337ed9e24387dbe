import type { Api } from './api.ts';
import { Building } from './building.ts';
import * as campaign from './campaign-steps.ts';
import * as catalogue from './catalogue-steps.ts';
import * as loyalty from './loyalty-steps.ts';
import type { Project } from './project.ts';

/**
 * The steps in their order. A resource comes before all that name it, and a use comes before what forbids it. The file's points come before
 * the rules that would give more for the same actions.
 */
const steps: readonly ((building: Building) => Promise<void>)[] = [
  catalogue.settings,
  catalogue.catalogue,
  catalogue.people,
  catalogue.validationRules,
  campaign.campaigns,
  loyalty.rewards,
  catalogue.orders,
  catalogue.returns,
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
  campaign.templates,
];

/** Makes everything in an exported project over HTTP, in a project that has only keys. */
export async function build(file: Project, api: Api): Promise<Building> {
  const building = new Building(api, file);
  for (const step of steps) await step(building);
  await api.settle();
  return building;
}
