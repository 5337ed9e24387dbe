import * as v from 'valibot';
import { type CampaignItem, campaigns, maxVouchersOfCampaign } from '#engine/campaigns/campaign.ts';
import { type FoundCampaign, findCampaign } from '#engine/campaigns/find-campaign.ts';
import { type OwnFields, startGeneration } from '#engine/campaigns/generation/job.ts';
import { checkCodeConfig } from '#engine/campaigns/new-campaign.ts';
import { applyProjectForm, type CodeConfig, codeConfig } from '#engine/ledger/codes/code-space.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '#engine/rules/categories/category-fields.ts';
import { chooseCategory } from '#engine/rules/categories/resource.ts';
import { areInOrder, datesOutOfOrder } from '#engine/rules/validity/dates.ts';
import { defined } from '#kernel/core/defined.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import { code, object } from '#kernel/core/schema.ts';
import type { Showing, Starting } from '#kernel/http/context.ts';
import type { startedAction } from '#kernel/kit/bulk/job.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { voucherSchema } from './change-metadata.ts';
import { createVoucher, createVoucherWithCode } from './create-voucher.ts';
import { checkNewVoucher, chooseType } from './new-voucher.ts';
import { type PartialVoucher, presentPartly } from './voucher.ts';
import { newVoucherFields } from './voucher-body.ts';

const { active, metadata, redemption, additional_info, start_date, expiration_date } = newVoucherFields;

const ownFields = { ...categoryEntries, active, metadata, redemption, additional_info, start_date, expiration_date };

/**
 * Holds the fields that an added voucher may override. The rest comes from its campaign. A missing body counts as
 * empty.
 */
export const addVoucherBody = v.optional(
  v.pipe(
    object(ownFields),
    v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
    v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
  ),
  {},
);

/** Adds to these fields the code of one voucher, or the form of the codes of several. */
export const addVouchersBody = v.optional(
  v.pipe(
    object({ ...ownFields, code: v.optional(code), code_config: v.optional(codeConfig) }),
    v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
    v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
  ),
  {},
);

const outOfRange = `must be an integer from 1 to ${maxVouchersOfCampaign}`;

export const addVouchersQuery = v.object({
  vouchers_count: described(
    v.optional(
      shownAs(
        v.pipe(
          v.string(),
          v.regex(/^[1-9]\d{0,6}$/, outOfRange),
          v.transform(Number),
          v.maxValue(maxVouchersOfCampaign, outOfRange),
        ),
        { type: 'integer', minimum: 1, maximum: maxVouchersOfCampaign },
      ),
      '1',
    ),
    'The number of vouchers to add. The reply is the one voucher, or names the action that makes several.',
  ),
});

type OneBody = v.InferOutput<typeof addVoucherBody>;
type ManyBody = v.InferOutput<typeof addVouchersBody>;

/** Adds a voucher under the code of the path. Answers 409 if any voucher of the project has the code. */
export async function addVoucherWithCode(
  context: Showing,
  idOrName: string,
  code: string,
  body: OneBody,
): Promise<PartialVoucher> {
  const { item } = await findCampaign(context, idOrName);
  return presentPartly(await createVoucherWithCode(context, code, { ...body, campaign_id: item.id }));
}

function takeOwn({ active, metadata, redemption, additional_info, start_date, expiration_date }: ManyBody): OwnFields {
  const sent = { active, metadata, additional_info, start_date, expiration_date };
  const own = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== undefined));
  return redemption?.quantity === undefined ? own : { ...own, redemption_quantity: redemption.quantity };
}

function refuse(key: 'invalid_payload' | 'invalid_campaign', details: string): ServiceError {
  return new ServiceError(key, { details });
}

/** Checks that the campaign can get this many more vouchers. */
function checkMany(item: CampaignItem, total: number, body: ManyBody, form: CodeConfig): void {
  if (body.code !== undefined) throw refuse('invalid_payload', 'code must not be sent for several vouchers');
  const { category, category_id, code_config, ...described } = body;
  checkNewVoucher({ ...described, code: '', type: chooseType({}, item) }, item);
  if (item.type === 'STANDALONE') throw refuse('invalid_campaign', 'a STANDALONE campaign has one voucher');
  const others = (item.vouchers_count ?? 0) + item.codes_pending;
  if (others + total > maxVouchersOfCampaign) {
    const left = Math.max(0, maxVouchersOfCampaign - others);
    throw refuse(
      'invalid_campaign',
      `a campaign has at most ${maxVouchersOfCampaign} vouchers: this campaign has room for ${left} more`,
    );
  }
  // Codes of the campaign do not use up codes of another form.
  if (code_config) checkCodeConfig(form, total, 'code_config');
  else checkCodeConfig(form, others + total, "the campaign's voucher.code_config");
}

/** Starts one more generation of the campaign's codes. Several may run simultaneously. */
async function generate(
  context: Starting,
  { item, categories, created = [] }: FoundCampaign,
  total: number,
  body: ManyBody,
): Promise<string | undefined> {
  const { table, project } = context;
  const ofCampaign = item.voucher?.code_config ?? {};
  const form = applyProjectForm(project, body.code_config ?? ofCampaign);
  checkMany(item, total, body, form);
  checkBySchema(voucherSchema(project, item), body.metadata ?? {}, { place: 'metadata' });
  const category_id = chooseCategory(categories, body)?.id;
  const own = { ...takeOwn(body), ...defined({ category_id }) };
  // The job keeps the charset that it began with.
  const plan = { total, is_creation: false, own, ...(form === ofCampaign ? {} : { code_config: form }) };
  const { id, effect } = startGeneration(context, item.id, plan);
  const done = await commit(table, [
    effect,
    ...created,
    change(campaigns(project.id, item.id), (update) =>
      update
        .whenThere()
        .whenUnsetOr('generations_open', item.generations_open)
        .add('generations_open', 1)
        .add('codes_pending', total)
        .set(['vouchers_generation_status'], 'IN_PROGRESS'),
    ),
  ]);
  return done ? id : undefined;
}

/** Adds a single voucher immediately, or starts a job that generates several. */
export async function addVouchers(
  context: Showing & Starting,
  idOrName: string,
  { vouchers_count: total }: v.InferOutput<typeof addVouchersQuery>,
  body: ManyBody,
): Promise<PartialVoucher | v.InferOutput<typeof startedAction>> {
  if (total === 1) {
    const { item } = await findCampaign(context, idOrName);
    return presentPartly(await createVoucher(context, { ...body, campaign_id: item.id }));
  }
  return retryOptimistically(context.table, async () => {
    const id = await generate(context, await findCampaign(context, idOrName, body), total, body);
    return id === undefined ? again : { async_action_id: id };
  });
}
