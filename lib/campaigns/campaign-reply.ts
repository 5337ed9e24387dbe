import * as v from 'valibot';
import { count, dateTime, list, listOf } from '../schema.ts';
import { type CampaignItem, campaignDefinition, campaignStatus } from './campaign.ts';
import { type Category, category } from './category.ts';
import { validationRulesAssignment } from './validation-rules-assignment.ts';

/** Contract, "Campaign". */
export const campaign = v.object({
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
  categories: v.array(category),
  object: v.literal('campaign'),
  vouchers_count: v.optional(count),
  validation_rules_assignments: listOf(validationRulesAssignment),
});

export type Campaign = v.InferOutput<typeof campaign>;

/** The campaign as the interface shows it. `categories`: the project's, by id. */
export function presentCampaign(item: CampaignItem, categories: Readonly<Record<string, Category>>): Campaign {
  const { validation_rules_assignments, generation, modifying, access_settings, voucher, ...shown } = item;
  const own = item.category_id === null ? undefined : categories[item.category_id];
  const dates = {
    ...(item.start_date ? { start_date: item.start_date } : {}),
    ...(item.expiration_date ? { expiration_date: item.expiration_date } : {}),
    ...(item.validity_timeframe ? { validity_timeframe: item.validity_timeframe } : {}),
  };
  return {
    ...shown,
    ...(voucher ? { voucher: { ...voucher, ...dates } } : {}),
    ...(modifying ? { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' } : {}),
    ...(own ? { category: own.name } : {}),
    categories: own ? [own] : [],
    object: 'campaign',
    validation_rules_assignments: list(validation_rules_assignments),
  };
}
