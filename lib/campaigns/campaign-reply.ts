import * as v from 'valibot';
import { named } from '../core/documented.ts';
import { count, dateTime, list, listOf } from '../core/schema.ts';
import type { Project } from '../http/projects/project.ts';
import { inProject, wholeCodeConfig } from '../ledger/codes/code-space.ts';
import { countingCategory, countingId } from '../rules/categories/category.ts';
import { category } from '../rules/categories/resource.ts';
import { validationRulesAssignment } from '../rules/validation-rules-assignment.ts';
import { assignmentsOf } from './access-settings.ts';
import { campaignDefinition, campaignStatus } from './campaign.ts';
import type { FoundCampaign } from './find-campaign.ts';
import { tierList } from './promotions/promotion-tier.ts';

/** A campaign as every reply has it. */
export const campaign = named(
  'Campaign',
  v.object({
    ...campaignDefinition,
    id: v.string(),
    auto_join: v.boolean(),
    join_once: v.boolean(),
    use_voucher_metadata_schema: v.boolean(),
    created_at: dateTime,
    updated_at: v.optional(dateTime),
    creation_status: campaignStatus,
    vouchers_generation_status: campaignStatus,
    protected: v.boolean(),
    category_id: v.nullable(v.string()),
    category: v.optional(v.string()),
    categories: v.array(category.reply),
    object: v.literal('campaign'),
    vouchers_count: v.optional(count),
    /** Of a campaign of the type PROMOTION. */
    promotion: v.optional(tierList),
    validation_rules_assignments: listOf(validationRulesAssignment),
  }),
);

const { promotion, validation_rules_assignments, ...listed } = campaign.entries;

/** As a list shows it: what costs further reads is left out, and what the query does not ask for is empty. */
export const listedCampaign = named('ListedCampaign', v.object(listed));

export type Campaign = v.InferOutput<typeof campaign>;

/** The campaign as shown, without the tiers of a promotion, which are read separately. */
export function presentCampaign({ features, codes }: Project, { item, categories }: FoundCampaign): Campaign {
  const {
    validation_rules_assignments,
    generations_open,
    generations_failed,
    codes_pending,
    modifying,
    access_settings,
    access_settings_assignments = access_settings ? assignmentsOf(access_settings) : list([]),
    voucher,
    version,
    promotion,
    ...shown
  } = item;
  const own = countingCategory(categories, [item.category_id]);
  const dates = {
    ...(item.start_date ? { start_date: item.start_date } : {}),
    ...(item.expiration_date ? { expiration_date: item.expiration_date } : {}),
    ...(item.validity_timeframe ? { validity_timeframe: item.validity_timeframe } : {}),
  };
  return {
    ...shown,
    ...(voucher
      ? {
          voucher: {
            ...dates,
            ...voucher,
            code_config: wholeCodeConfig(inProject({ codes }, voucher.code_config ?? {})),
          },
        }
      : {}),
    ...(modifying ? { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' } : {}),
    category_id: countingId(categories, [item.category_id]) ?? null,
    ...(own ? { category: own.name } : {}),
    ...(features.areas_and_stores ? { access_settings_assignments } : {}),
    categories: own ? [own] : [],
    object: 'campaign',
    validation_rules_assignments: list(validation_rules_assignments),
  };
}
