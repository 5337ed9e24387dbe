import * as v from 'valibot';
import { applyProjectForm, completeCodeConfig } from '#engine/ledger/codes/code-space.ts';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { category, findCountingCategory, findCountingId } from '#engine/rules/categories/resource.ts';
import type { roleNames } from '#kernel/access/users/roles.ts';
import { defined } from '#kernel/core/defined.ts';
import { described, named } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { count, dateTime, listEnvelope, metadata, wrapList } from '#kernel/core/schema.ts';
import type { Caller, Reading } from '#kernel/http/context.ts';
import { canFitReply } from '#kernel/http/reply-size.ts';
import { campaignDefinition, campaignStatus } from './campaign.ts';
import type { FoundCampaign } from './find-campaign.ts';
import { type TierList, tierList } from './promotions/promotion-tier.ts';

/** Every reply shows a campaign like this. */
export const campaign = named(
  'Campaign',
  v.object({
    ...campaignDefinition,
    metadata: described(v.optional(metadata), 'Absent while it has no key.'),
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
    readonly: described(
      v.optional(v.literal(true)),
      'Only for users with the role USER_RESTRICTED, which reads campaigns and never changes them.',
    ),
    vouchers_count: v.optional(count),
    /** Only a campaign of the type PROMOTION has tiers. */
    promotion: v.optional(tierList),
    validation_rules_assignments: described(
      v.optional(listEnvelope(validationRulesAssignment)),
      'Absent on a campaign of the type PROMOTION without a rule, because its tiers have their own.',
    ),
  }),
);

const { promotion, validation_rules_assignments, ...listed } = campaign.entries;

/** A list leaves out fields that cost further reads. Fields that the query does not request are empty. */
export const listedCampaign = named('ListedCampaign', v.object(listed));

export type Campaign = v.InferOutput<typeof campaign>;

const ids = v.optional(v.array(v.string()), []);

/** Lists the areas and stores that a body assigns. `area_all_stores_ids` means an area with every store in it. */
const assigned = v.object({
  assign: v.object({ areas_ids: ids, area_stores_ids: ids, area_all_stores_ids: ids }),
});

/** Returns the areas and stores of a campaign as the interface lists them. Returns a value of another shape unchanged. */
function showAssignments(settings: Readonly<Record<string, unknown>>) {
  const known = v.safeParse(assigned, settings);
  if (!known.success) return wrapList([settings]);
  const { areas_ids, area_stores_ids, area_all_stores_ids } = known.output.assign;
  return wrapList([
    ...areas_ids.map((area_id) => ({ area_id, all_stores: false })),
    ...area_all_stores_ids.map((area_id) => ({ area_id, all_stores: true })),
    ...area_stores_ids.map((area_store_id) => ({ area_store_id })),
  ]);
}

/** The reader of a campaign, whose role decides what a reply shows. Work without a request has no reader. */
export interface CampaignReader extends Pick<Reading, 'project'> {
  readonly caller?: Pick<Caller, 'role'>;
}

const restrictedRole: string = 'USER_RESTRICTED' satisfies (typeof roleNames)[number];

/** Returns the campaign as replies show it, without the tiers of a promotion, which the caller reads separately. */
export function presentCampaign({ project, caller }: CampaignReader, { item, categories }: FoundCampaign): Campaign {
  const {
    validation_rules_assignments,
    generations_open,
    generations_failed,
    codes_pending,
    modifying,
    access_settings,
    access_settings_assignments = access_settings ? showAssignments(access_settings) : wrapList([]),
    voucher,
    version,
    promotion,
    metadata: stored,
    ...shown
  } = item;
  const own = findCountingCategory(categories, [item.category_id]);
  const dates = defined({
    start_date: item.start_date,
    expiration_date: item.expiration_date,
    validity_timeframe: item.validity_timeframe,
  });
  return {
    ...shown,
    ...(Object.keys(stored).length === 0 ? {} : { metadata: stored }),
    ...(voucher
      ? {
          voucher: {
            ...dates,
            ...voucher,
            code_config: completeCodeConfig(applyProjectForm(project, voucher.code_config ?? {})),
          },
        }
      : {}),
    ...(modifying ? { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' } : {}),
    category_id: findCountingId(categories, [item.category_id]) ?? null,
    ...(own ? { category: own.name } : {}),
    ...(project.features.areas_and_stores ? { access_settings_assignments } : {}),
    categories: own ? [own] : [],
    object: 'campaign',
    ...(caller?.role === restrictedRole ? { readonly: true as const } : {}),
    ...(item.campaign_type === 'PROMOTION' && validation_rules_assignments.length === 0
      ? {}
      : { validation_rules_assignments: wrapList(validation_rules_assignments) }),
  };
}

/** Lists the tiers of a campaign that was read already. Callers pass it in, because campaigns do not import promotions. */
export type ListTiersOf = (
  context: Reading,
  found: FoundCampaign,
  page: { limit: number; page: number },
) => Promise<TierList>;

/** A campaign shows this many of its promotion tiers. `has_more` is true if it has others. */
const shownTiers = 100;
/** A reply has room for this many tiers with the largest metadata. */
const shownLongTiers = 40;

/** Returns `undefined` if the reply has no room for the tiers. */
async function fittingTiers(listing: Promise<TierList>): Promise<TierList | undefined> {
  try {
    const tiers = await listing;
    return canFitReply(tiers) ? tiers : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'invalid_query_params') return undefined;
    throw error;
  }
}

/** Returns the campaign as shown, with the tiers of a promotion, which cost one read each. */
export async function showCampaign(
  context: Reading & CampaignReader,
  found: FoundCampaign,
  listTiersOf: ListTiersOf,
): Promise<Campaign> {
  const shown = presentCampaign(context, found);
  if (found.item.campaign_type !== 'PROMOTION') return shown;
  const listed = (limit: number) => listTiersOf(context, found, { limit, page: 1 });
  return { ...shown, promotion: (await fittingTiers(listed(shownTiers))) ?? (await listed(shownLongTiers)) };
}
