import * as v from 'valibot';
import { findCampaign } from '#engine/campaigns/find-campaign.ts';
import { ruleType, storedRules } from '#engine/rules/assignment.ts';
import { chooseCategories, chooseCategory } from '#engine/rules/categories/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { code as voucherCode } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { drawCode } from './free-code.ts';
import { makeVoucher } from './make-voucher.ts';
import { chooseType } from './new-voucher.ts';
import { presentVoucher } from './present-voucher.ts';
import type { Voucher } from './voucher.ts';
import type { CreateVoucherBody } from './voucher-body.ts';

/** Answers 404 for a missing rule. */
export async function checkRules({ table, project }: Showing, ids: readonly string[]): Promise<void> {
  const rules = await table.getMany(ids.map((id) => storedRules(project.id, id)));
  const missing = ids.find((_, index) => !rules[index]);
  if (missing !== undefined) throw notFound(ruleType, missing);
}

/** Reads everything that the body refers to. Answers 404 for anything missing. */
async function readReferences(context: Showing, body: CreateVoucherBody) {
  const named = body.campaign_id || body.campaign;
  const [found] = await Promise.all([
    named ? findCampaign(context, named, body) : undefined,
    checkRules(context, body.validation_rules ?? []),
  ]);
  const { categories, created = [] } = found ?? (await chooseCategories(context, [], [body]));
  return { campaign: found?.item, categories, created };
}

/** Creates a voucher under the sent code, or under a drawn code. */
export async function createVoucher(context: Showing, body: CreateVoucherBody): Promise<Voucher> {
  const { table, project, now, baseUrl } = context;
  const { category, category_id, campaign: _, campaign_id, code_config, ...described } = body;
  return retryOptimistically(table, async () => {
    const { campaign, categories, created } = await readReferences(context, body);
    const type = chooseType(body, campaign);
    const chosen = chooseCategory(categories, { category, category_id })?.id;
    const code =
      body.code ??
      (code_config
        ? await drawCode(context, code_config, { place: 'code_config' })
        : await drawCode(context, campaign?.voucher?.code_config));
    const { item, effects } = makeVoucher(context, { ...described, type, code, category_id: chosen }, campaign);
    try {
      if (!(await commit(table, [...effects, ...created]))) return again;
    } catch (error) {
      // Another request took the drawn code first.
      const isTaken = error instanceof ServiceError && error.key === 'duplicate_found';
      if (isTaken && !body.code) return again;
      throw error;
    }
    return presentVoucher(item, { project, campaign, categories, now, baseUrl });
  });
}

/** Creates a voucher under the code of the path. The body may repeat the code. */
export function createVoucherWithCode(context: Showing, code: string, body: CreateVoucherBody): Promise<Voucher> {
  const outcome = v.safeParse(voucherCode, code);
  if (!outcome.success) {
    throw new ServiceError('invalid_path_params', { details: `the code of the path ${outcome.issues[0].message}` });
  }
  if (body.code && body.code !== code) {
    throw new ServiceError('invalid_payload', { details: 'code must equal the code of the path, or be left out' });
  }
  return createVoucher(context, { ...body, code });
}
