import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { voucherTypes } from '#engine/campaigns/kinds.ts';
import { tierOr404 } from '#engine/campaigns/promotions/find-tiers.ts';
import { ruleType } from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { described } from '#kernel/core/documented.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { identifier, longText, nullable, object, reference } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { saveItem } from '#kernel/kit/resource/item.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, maxWrites } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import {
  maxCopies,
  maxRules,
  type TemplateContent,
  type TemplateSettings,
  templateContent,
  templateSettings,
} from './content.ts';
import { copyResources } from './copy-resources.ts';
import { type CampaignTemplate, campaignTemplate, type ResourceLink, templateKinds } from './resource.ts';
import { buildCampaignBody, buildTierBody } from './setup-body.ts';
import { type ShownTemplate, showTemplate } from './show-template.ts';

const exactlyOne = 'must be sent, or promotion_tier_id, and not both';

export const createTemplateBody = v.pipe(
  object({
    name: identifier,
    description: nullable(longText),
    campaign_id: described(v.optional(reference), 'The id or the name of a campaign of coupons or of gift vouchers.'),
    promotion_tier_id: described(v.optional(reference), 'The id of a promotion tier.'),
  }),
  v.forward(
    v.partialCheck(
      [['campaign_id'], ['promotion_tier_id']],
      ({ campaign_id, promotion_tier_id }) => (campaign_id === undefined) !== (promotion_tier_id === undefined),
      exactlyOne,
    ),
    ['campaign_id'],
  ),
);

export type CreateTemplateBody = v.InferOutput<typeof createTemplateBody>;

interface Source extends Pick<CampaignTemplate, 'campaign_type' | 'source'> {
  readonly settings: TemplateSettings;
  readonly ruleIds: readonly string[];
}

function unsupportedType(type: string, id: string): ServiceError {
  return new ServiceError('campaign_type_is_not_supported_by_campaign_template', {
    details: `a template sets up ${templateKinds.options.join(' or ')}, not ${type}: name a campaign of these kinds, or a promotion tier`,
    resource: { id, type: 'campaign' },
  });
}

async function readCampaign(context: Reading, idOrName: string): Promise<Source> {
  const campaign = await campaignOr404(context, idOrName);
  const { id, campaign_type, validation_rules_assignments } = campaign;
  if (!v.is(templateKinds, campaign_type)) throw unsupportedType(campaign_type, id);
  return {
    campaign_type,
    settings: parseStored(templateSettings, { voucher: { type: voucherTypes[campaign_type] }, ...campaign }),
    ruleIds: validation_rules_assignments.map(({ rule_id }) => rule_id),
    source: { campaign_id: id },
  };
}

async function readTier(context: Reading, tierId: string): Promise<Source> {
  const tier = await tierOr404(context, tierId);
  const { discount } = tier.action ?? {};
  const voucher = { type: 'DISCOUNT_VOUCHER', ...(discount ? { discount } : {}) };
  return {
    campaign_type: 'DISCOUNT_COUPONS',
    settings: parseStored(templateSettings, { ...tier, voucher }),
    ruleIds: tier.validation_rules_assignments.map(({ rule_id }) => rule_id),
    source: { promotion_tier_id: tier.id },
  };
}

/** Reads the rules of the source. A deleted rule is a 404, because a campaign without it would have no limit. */
async function readRules({ table, project }: Reading, ids: readonly string[]) {
  const { found } = await read(table, { found: ids.map((id) => validationRule.few(project.id, id)) });
  const missing = ids.find((_, index) => !found[index]);
  if (missing !== undefined) throw notFound(ruleType, missing);
  return found.filter((rule) => rule !== undefined);
}

/** A list reads the contents of all templates of a project. */
const maxContentBytes = 200_000;

/** A setup writes about this many items besides the copies. */
const itemsOfSetup = 29;

/** Returns the items that a setup writes for the copies: each resource, its claims, its assignment and its activity. */
function countItems(content: TemplateContent): number {
  const { validation_rules, products, skus, product_collections, segments, locations } = content;
  const claimed = [...products, ...skus].filter(({ source_id }) => source_id).length;
  const ofSkus = 2 * skus.length;
  const ofSegments = 2 * segments.length;
  const ofCollections = 2 * product_collections.length;
  const plain = products.length + locations.length;
  return 2 * validation_rules.length + plain + ofSkus + claimed + ofCollections + ofSegments;
}

type Copied = Omit<TemplateContent, 'settings' | 'validation_rules'> & {
  readonly validation_rules: readonly unknown[];
};

/** Answers 400 for more copies of a kind than a template has room for. */
function checkNumbers({ validation_rules, ...copies }: Copied): void {
  const faults = [
    ...(validation_rules.length > maxRules
      ? [`the source has ${validation_rules.length} rules of at most ${maxRules}`]
      : []),
    ...Object.entries(copies).flatMap(([name, all]) =>
      all.length > maxCopies ? [`its rules and discount name ${all.length} ${name} of at most ${maxCopies}`] : [],
    ),
  ];
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

function checkSize(content: TemplateContent): void {
  const items = countItems(content);
  const bytes = Buffer.byteLength(JSON.stringify(content));
  const faults = [
    ...(items > maxWrites - itemsOfSetup
      ? [`the copies would have ${items} items, and one setup creates at most ${maxWrites - itemsOfSetup}`]
      : []),
    ...(bytes > maxContentBytes ? [`the copies would have ${bytes} bytes of at most ${maxContentBytes}`] : []),
  ];
  if (faults.length === 0) return;
  const remedy = 'let the rules name fewer products, SKUs, collections, segments and locations';
  throw new ServiceError('invalid_payload', { details: joinFaults([...faults, remedy]) });
}

/** Returns a link of each copy to its original, which setups in this project use. */
function linkToOriginals(content: TemplateContent): ResourceLink[] {
  const { products, skus, product_collections, segments, locations } = content;
  const links = (object: ResourceLink['object'], all: readonly { id: string }[]) =>
    all.map(({ id }) => ({ object, of: id, id }));
  return [
    ...links('product', products),
    ...links('sku', skus),
    ...links('products_collection', product_collections),
    ...links('segment', segments),
    ...links('location', locations),
  ];
}

/** Creates a template from a campaign or a promotion tier. Answers 404 if it is missing, and 409 for a name in use. */
export async function createTemplate(context: Reading, body: CreateTemplateBody): Promise<ShownTemplate> {
  const { table } = context;
  const { campaign_id, promotion_tier_id, ...sent } = body;
  return retryOptimistically(table, async () => {
    const { settings, ruleIds, ...own } =
      campaign_id === undefined
        ? await readTier(context, promotion_tier_id ?? '')
        : await readCampaign(context, campaign_id);
    const rules = await readRules(context, ruleIds);
    const copies = await copyResources(context, rules, settings.voucher.discount);
    checkNumbers({ validation_rules: rules, ...copies });
    const content = parseStored(templateContent, { settings, validation_rules: rules, ...copies });
    checkSize(content);
    checkUse({ ...own, settings }, sent.name);
    const fields = { ...sent, ...own, content, links: linkToOriginals(content) };
    const { after, effects } = saveItem(context, campaignTemplate, undefined, fields);
    return (await commit(table, effects)) ? showTemplate(after) : again;
  });
}

/** Answers 400 if no campaign can have these settings. A project file may have made a campaign that no request can make. */
function checkUse(template: Pick<Source, 'campaign_type' | 'settings' | 'source'>, name: string): void {
  if (template.source?.promotion_tier_id !== undefined) buildTierBody(template, { name });
  else buildCampaignBody(template, { name });
}
