import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as listOfRule } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { handler as listAll } from '../../functions/validation-rules-assignments/list-validation-rules-assignments.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller, type Reply } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { loadProject } from './project.ts';

export const ruledLists = {
  validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })),
  campaigns: [{ id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' }],
  promotion_tiers: [{ id: 'promo_1', name: 'T', campaign_id: 'camp_1', hierarchy: 1 }],
  vouchers: ['ONE', 'TWO', 'THREE'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER' })),
};

/** Loads a project with rules and resources to assign them to. Each call happens a second after the previous call. */
export async function openRules(more: object = {}) {
  const project = await loadProject({ ...ruledLists, ...more });
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Endpoint, request: object = {}): Promise<Reply> => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers: project.credentials, ...request });
  };
  const rule = (validationRuleId: string, more: object = {}) => ({ params: { validationRuleId, ...more } });
  const assigned = (ruleId: string, type: string, id: string, query = '') =>
    call(assign, { ...rule(ruleId), query, body: { related_object_type: type, related_object_id: id } });
  const rulesOf = (reply: Reply) => {
    const { validation_rules_assignments: one, validation_rule_assignments: other } = reply.body;
    return ((one ?? other)?.data ?? []).map(({ rule_id }: { rule_id: string }) => rule_id);
  };
  const shown = {
    voucher: async (code: string) => rulesOf(await call(getVoucher, { params: { code } })),
    campaign: async (campaignId: string) => rulesOf(await call(getCampaign, { params: { campaignId } })),
    promotion_tier: async (promotionTierId: string) => rulesOf(await call(getTier, { params: { promotionTierId } })),
  };
  const listed = async (query: string) => {
    const { body } = await call(listAll, { query });
    return body.data.map(({ id }: { id: string }) => id);
  };
  const ofRule = async (id: string, query = '') => (await call(listOfRule, { ...rule(id), query })).body;
  return { project, call, rule, assigned, shown, listed, ofRule };
}

export type Rules = Awaited<ReturnType<typeof openRules>>;
