import {
  buildCodeSpace,
  type CodeConfig,
  completeCodeConfig,
  findFormFaults,
} from '#engine/ledger/codes/code-space.ts';
import { newAssignment } from '#engine/rules/assignment.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import { parseStored } from '#kernel/table/item.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { type CampaignItem, campaignItem } from './campaign.ts';
import type { CreateCampaignBody } from './create-body.ts';
import { type CampaignType, chooseKind, voucherTypes } from './kinds.ts';

/** At least half of the codes stay unused, so that trying a few codes does not find a valid code. */
const distinctCodesPerVoucher = 2n;

/** Answers 400 if the configuration does not yield enough codes for these vouchers. */
export function checkCodeConfig(config: CodeConfig, vouchers: number, place: string): void {
  const outcome = buildCodeSpace(config);
  const faults = [...('faults' in outcome ? outcome.faults : []), ...findFormFaults(config)];
  if ('space' in outcome && outcome.space.capacity < BigInt(vouchers) * distinctCodesPerVoucher) {
    faults.push(
      `it yields ${outcome.space.capacity} distinct codes and must yield at least ${distinctCodesPerVoucher} for each of ${vouchers} vouchers`,
    );
  }
  if (faults.length > 0) {
    throw new ServiceError('invalid_code_config', {
      details: joinFaults(faults.map((fault) => `${place}: ${fault}`)),
    });
  }
}

/** Returns the fields that were sent. `null` counts as not sent. */
function takeSent(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns the content that vouchers of this kind have. */
function chooseContent(kind: CampaignType, { discount, gift, loyalty_card }: CreateCampaignBody['voucher']) {
  const type = voucherTypes[kind];
  if (type === 'GIFT_VOUCHER') return { gift };
  return type === 'LOYALTY_CARD' ? { loyalty_card } : { discount };
}

function buildVoucherPart(kind: CampaignType, voucher: CreateCampaignBody['voucher']) {
  const { code, discount, gift, loyalty_card, ...rest } = voucher;
  return {
    ...takeSent({ ...rest, ...chooseContent(kind, voucher) }),
    type: voucherTypes[kind],
    redemption: { quantity: voucher.redemption?.quantity ?? null },
    code_config: completeCodeConfig(voucher.code_config),
    is_referral_code: kind === 'REFERRAL_PROGRAM' || (voucher.is_referral_code ?? false),
  };
}

/** Returns the defaults and the parts that depend on the kind of campaign. */
function buildKindFields(kind: CampaignType, body: CreateCampaignBody) {
  const { type, join_once, voucher, referral_program, loyalty_tiers_expiration } = body;
  if (kind === 'PROMOTION') {
    return {
      type: 'STATIC',
      auto_join: false,
      join_once: false,
      use_voucher_metadata_schema: false,
      activity_duration_after_publishing: undefined,
      client_publication: undefined,
    };
  }
  const isLoyalty = kind === 'LOYALTY_PROGRAM';
  return {
    type: type ?? (isLoyalty ? 'STATIC' : 'AUTO_UPDATE'),
    auto_join: body.auto_join,
    join_once: isLoyalty || (join_once && type !== 'STANDALONE'),
    use_voucher_metadata_schema: body.use_voucher_metadata_schema ?? true,
    voucher: buildVoucherPart(kind, voucher),
    vouchers_count: 0,
    ...takeSent({
      referral_program: kind === 'REFERRAL_PROGRAM' ? referral_program : undefined,
      loyalty_tiers_expiration: isLoyalty ? loyalty_tiers_expiration : undefined,
    }),
  };
}

interface Chosen {
  categoryId: string | null;
  ruleIds: readonly string[];
  now: Date;
}

/** Returns whether a job generates the codes. A promotion has no codes, and a STANDALONE campaign has a single code. */
export function isGenerated({ campaign_type, type }: Pick<CampaignItem, 'campaign_type' | 'type'>): boolean {
  return campaign_type !== 'PROMOTION' && type !== 'STANDALONE';
}

/** Returns the campaign that a body describes. `null` counts as not sent. */
export function newCampaign(body: CreateCampaignBody, { categoryId, ruleIds, now }: Chosen): CampaignItem {
  const id = newId('campaign');
  const createdAt = now.toISOString();
  const kind = chooseKind(body);
  const { category, category_id, validation_rules, voucher, promotion, vouchers_count, ...rest } = body;
  const { referral_program, loyalty_tiers_expiration, use_voucher_metadata_schema, type, ...common } = rest;
  const own = buildKindFields(kind, body);
  const status = isGenerated({ campaign_type: kind, type: type ?? 'STATIC' }) ? 'IN_PROGRESS' : 'DONE';
  return parseStored(campaignItem, {
    ...takeSent(common),
    ...own,
    id,
    name: body.name ?? id,
    campaign_type: kind,
    category_id: categoryId,
    created_at: createdAt,
    creation_status: status,
    vouchers_generation_status: status,
    validation_rules_assignments: ruleIds.map((ruleId) => newAssignment(ruleId, { type: 'campaign', id }, now)),
    version: newVersion(),
  });
}
