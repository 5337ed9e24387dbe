import type { Write } from '../dynamodb.ts';
import { parseStored } from '../dynamodb.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { itemSizeTold } from '../item-size.ts';
import { keys } from '../table.ts';
import { type CampaignItem, campaignItem } from './campaign.ts';
import type { CreateCampaignBody } from './campaign-body.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { categoriesItem } from './category.ts';
import { codeSpace } from './code-space.ts';
import { type Context, chosenCategory } from './find-campaign.ts';
import { generationJob, planGeneration } from './generation/job.ts';

/** A campaign leaves at least as many codes unused as it uses, so that a code can't be guessed by trying a few. */
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

/** What the body refers to, in one call and only if it does; 404 for what is not there. */
async function referredTo({ table, project }: Context, body: CreateCampaignBody) {
  const named = body.category_id ?? body.category;
  const [ruleId] = body.validation_rules ?? [];
  const wanted = [
    ...(named ? [keys.categories(project.id)] : []),
    ...(ruleId === undefined ? [] : [keys.validationRule(project.id, ruleId)]),
  ];
  const found = wanted.length > 0 ? await table.getMany(wanted) : [];
  const stored = named ? found[0] : undefined;
  const categories = stored ? parseStored(categoriesItem, stored).items : {};
  if (ruleId !== undefined && !found.at(-1)) throw notFound('validation_rule', ruleId);
  return { categories, categoryId: named ? chosenCategory(categories, named).id : null, ruleId };
}

/**
 * Contract, endpoint 5. Stores the campaign, its claim on the name and the order to generate its codes in one
 * transaction, however many codes there are to be; the codes follow outside the request.
 */
export async function createCampaign(context: Context, body: CreateCampaignBody): Promise<Campaign> {
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
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  const item: CampaignItem = parseStored(campaignItem, {
    ...given,
    id,
    name,
    category_id: categoryId,
    voucher: {
      ...voucher,
      redemption: { quantity: voucher.redemption?.quantity === undefined ? 1 : voucher.redemption.quantity },
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
    generation: planGeneration(vouchers_count),
    ...(access_settings ? { access_settings } : {}),
  });

  const writes: Write[] = [
    { key: keys.campaignName(project.id, name), insert: { campaign_id: id } },
    { key: keys.campaign(project.id, id), insert: item },
    generationJob(project.id, id),
  ];
  const outcome = await table.commit(writes).catch((error: unknown) => {
    throw itemSizeTold(error, 'the body would make the campaign');
  });
  if (!outcome.done) {
    throw new ServiceError('duplicate_found', {
      details: 'name must be that of no other campaign of the project',
      resource: { id: name, type: 'campaign' },
    });
  }
  return presentCampaign(item, categories);
}
