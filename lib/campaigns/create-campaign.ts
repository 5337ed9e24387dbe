import { chosenCategory, readCategories } from '../categories/category.ts';
import { type CodeConfig, codeSpace, defaultCharset, defaultLength } from '../codes/code-space.ts';
import type { Reading, Starting } from '../context.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { newActionId } from '../jobs/action.ts';
import { validationRule } from '../rules/resource.ts';
import type { Write } from '../table/command.ts';
import { parseStored } from '../table/item.ts';
import { newVersion, versionWrite } from '../table/versioned.ts';
import { type CampaignItem, campaignItem, campaignNames, campaigns } from './campaign.ts';
import type { CreateCampaignBody } from './campaign-body.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { generationStarted, planGeneration } from './generation/job.ts';

/** At least half of the codes stay unused, so that a code can't be guessed by trying a few. */
const distinctCodesPerVoucher = 2n;

function checkCodeConfig({ voucher, vouchers_count }: CreateCampaignBody): void {
  const outcome = codeSpace(voucher.code_config);
  const faults = 'faults' in outcome ? outcome.faults : [];
  if ('space' in outcome && outcome.space.capacity < BigInt(vouchers_count) * distinctCodesPerVoucher) {
    faults.push(
      `it yields ${outcome.space.capacity} distinct codes and must yield at least ${distinctCodesPerVoucher} for each of ${vouchers_count} vouchers`,
    );
  }
  if (faults.length > 0) {
    throw new ServiceError('invalid_code_config', {
      details: detailsOf(faults.map((fault) => `voucher.code_config: ${fault}`)),
    });
  }
}

/** What the body refers to; 404 for what is not there. */
async function referredTo(context: Reading, body: CreateCampaignBody) {
  const { table, project } = context;
  const [ruleId] = body.validation_rules ?? [];
  const [categories, rules] = await Promise.all([
    readCategories(context, [], body),
    table.getMany(ruleId === undefined ? [] : [validationRule.few(project.id, ruleId)]),
  ]);
  if (ruleId !== undefined && !rules[0]) throw notFound('validation_rule', ruleId);
  return { categories, categoryId: chosenCategory(categories, body)?.id ?? null, ruleId };
}

/** What was sent of these: `null` is like nothing. */
function present(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** With what holds where nothing is sent. A pattern decides the length itself. */
function shownCodeConfig(sent: CodeConfig): CodeConfig {
  return { ...(sent.pattern === undefined ? { length: defaultLength } : {}), charset: defaultCharset, ...sent };
}

/**
 * Stores the campaign, its claim on the name and the action that generates its codes in one transaction.
 * See docs/interface.md#generation.
 */
export async function createCampaign(context: Starting, body: CreateCampaignBody): Promise<Campaign> {
  const { table, project, now } = context;
  if (body.access_settings && !project.features.areas_and_stores) {
    throw new ServiceError('invalid_payload', {
      details: 'access_settings needs the Areas and Stores feature, which this project does not have',
    });
  }
  checkCodeConfig(body);
  const { categories, categoryId, ruleId } = await referredTo(context, body);

  const id = newId('campaign');
  const name = body.name ?? id;
  const createdAt = now.toISOString();
  const { category, validation_rules, vouchers_count, voucher, access_settings, ...rest } = body;
  const version = newVersion();
  const generation = planGeneration(vouchers_count, newActionId(now));
  const item: CampaignItem = parseStored(campaignItem, {
    ...present(rest),
    id,
    name,
    category_id: categoryId,
    voucher: {
      ...present(voucher),
      redemption: { quantity: voucher.redemption?.quantity ?? null },
      code_config: shownCodeConfig(voucher.code_config),
      is_referral_code: voucher.is_referral_code ?? false,
    },
    created_at: createdAt,
    creation_status: 'IN_PROGRESS',
    vouchers_generation_status: 'IN_PROGRESS',
    vouchers_count: 0,
    validation_rules_assignments:
      ruleId === undefined
        ? []
        : [
            {
              id: newId('validation_rules_assignment'),
              rule_id: ruleId,
              related_object_id: id,
              related_object_type: 'campaign',
              created_at: createdAt,
              object: 'validation_rules_assignment',
            },
          ],
    generation,
    version,
    ...(access_settings ? { access_settings } : {}),
  });

  const writes: Write[] = [
    { key: campaignNames(project.id, name), insert: { campaign_id: id } },
    { key: campaigns(project.id, id), insert: item },
    versionWrite(campaigns(project.id, id), version),
    generationStarted(context, id, generation),
  ];
  const outcome = await table.commit(writes);
  if (!outcome.done) {
    throw new ServiceError('duplicate_found', {
      details: 'name must be that of no other campaign of the project',
      resource: { id: name, type: 'campaign' },
    });
  }
  return presentCampaign(project, { item, categories });
}
