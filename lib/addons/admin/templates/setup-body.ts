import * as v from 'valibot';
import { campaignDefinition } from '#engine/campaigns/campaign.ts';
import { commonFields } from '#engine/campaigns/campaign-body.ts';
import { type CreateCampaignBody, createCampaignBody } from '#engine/campaigns/create-body.ts';
import { type NewTierBody, newTierBody } from '#engine/campaigns/promotions/new-tiers.ts';
import { codeConfig } from '#engine/ledger/codes/code-space.ts';
import { categoryEntries } from '#engine/rules/categories/category-fields.ts';
import { hourNames, validityEntries } from '#engine/rules/validity/dates.ts';
import { validityTimeframe } from '#engine/rules/validity/validity.ts';
import { named } from '#kernel/core/documented.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import {
  code,
  count,
  dateTime,
  identifier,
  integer,
  nullable,
  object,
  reference,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import type { TemplateSettings } from './content.ts';
import type { CampaignTemplate } from './resource.ts';

/** Checks the form of each field. The body of a creation, which it becomes, is checked as a whole. */
export const campaignSetupBody = object({
  ...commonFields,
  name: identifier,
  type: v.optional(campaignDefinition.type),
  active: nullable(v.boolean()),
  join_once: v.optional(v.boolean()),
  use_voucher_metadata_schema: v.optional(v.boolean()),
  vouchers_count: v.optional(count),
  voucher: v.optional(
    named(
      'CampaignSetupVoucher',
      object({
        code_config: v.optional(codeConfig),
        redemption: v.optional(object({ quantity: nullable(count) })),
        code: v.optional(code),
        start_date: nullable(dateTime),
        expiration_date: nullable(dateTime),
        validity_timeframe: nullable(validityTimeframe),
      }),
    ),
  ),
});

export const tierSetupBody = object({
  campaign_id: reference,
  name: identifier,
  banner: nullable(shortText),
  metadata: nullable(sentMetadata),
  active: v.optional(v.boolean()),
  hierarchy: v.optional(integer),
  ...validityEntries,
  ...categoryEntries,
});

export type CampaignSetupBody = v.InferOutput<typeof campaignSetupBody>;
export type TierSetupBody = v.InferOutput<typeof tierSetupBody>;

/** Answers 400 with every fault of a body that a template and a request make together. */
function parsed<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  throw new ServiceError('invalid_payload', {
    details: joinFaults(describeIssues(result.issues, 'the body with the fields of the template')),
  });
}

function takeDefined(fields: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface Of extends Pick<CampaignTemplate, 'campaign_type'> {
  readonly settings: TemplateSettings;
}

/** Returns the body that creates the campaign. Sent fields replace fields of the template, and `null` removes them. */
export function buildCampaignBody({ campaign_type, settings }: Of, sent: CampaignSetupBody): CreateCampaignBody {
  const { voucher, banner: _, ...common } = settings;
  return parsed(createCampaignBody, {
    ...common,
    campaign_type,
    ...takeDefined(sent),
    voucher: { ...voucher, ...takeDefined(sent.voucher) },
  });
}

const ofTiers = ['banner', 'metadata', 'start_date', 'expiration_date', 'validity_timeframe'] as const;

/** Returns the body that creates the tier. A tier has the discount and the times of the template, and no codes. */
export function buildTierBody({ settings }: Of, sent: Omit<TierSetupBody, 'campaign_id'>): NewTierBody {
  const { discount } = settings.voucher;
  const kept = [...ofTiers, ...hourNames].map((name) => [name, settings[name]]);
  return parsed(newTierBody, {
    ...takeDefined(Object.fromEntries(kept)),
    ...(discount ? { action: { discount } } : {}),
    ...takeDefined(sent),
  });
}
