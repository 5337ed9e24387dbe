import { campaignLists } from '../campaigns/campaign-lists.ts';
import { type CampaignTerms, readTerms } from '../campaigns/campaign-terms.ts';
import type { Reading } from '../context.ts';
import { readTiers } from '../promotions/find-tiers.ts';
import { readRules, type TargetRule } from '../redeemables/target-rules.ts';
import { all } from '../resource/plain.ts';
import { validationRule } from '../rules/resource.ts';
import { kindsOf } from '../table/keys.ts';
import { readAll } from '../table/listing.ts';
import { type PromotionTierItem, tierLists } from '../tiers/promotion-tier.ts';

/** What a project offers to everybody. */
export interface Shelf {
  readonly tiers: readonly PromotionTierItem[];
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly rules: ReadonlyMap<string, TargetRule>;
}

export async function readShelf(context: Reading): Promise<Shelf> {
  const { table, project } = context;
  const [tiers, listed, rules] = await Promise.all([
    readAll(table, tierLists.created_at, [project.id]).then((places) => readTiers(context, places)),
    readAll(table, campaignLists.created_at, [project.id]),
    all(context, validationRule),
  ]);
  const items = await table.getMany(listed.filter(({ key }) => kindsOf(key).kind === 'CAMPAIGN').map(({ key }) => key));
  const campaigns = await readTerms(
    context,
    items.map((item) => (item ? String(item.id) : undefined)),
  );
  return {
    tiers,
    campaigns,
    rules: await readRules(
      context,
      rules.map(({ id }) => id),
    ),
  };
}
