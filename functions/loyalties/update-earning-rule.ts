import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { updateEarningRule } from '#engine/loyalty/programmes/change-rule.ts';
import { updateRuleBody } from '#engine/loyalty/programmes/rule-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/loyalties/{campaignId}/earning-rules/{earningRuleId}',
    scope: 'loyalties',
    summary: 'Update an earning rule',
    note:
      'Changes only the fields that are sent. `null` clears a field, and `metadata` is merged by key. The event, ' +
      'its segment and its tier never change. The change applies to later points only.',
    body: updateRuleBody,
    answers: 'The updated rule.',
    reply: earningRule,
    errors: ['not_found'],
    example: {
      params: { campaignId: 'Harbour Crew', earningRuleId: 'ern_cup' },
      body: { loyalty: { type: 'FIXED', points: 12 }, source: { banner: 'Bring your cup back' } },
    },
  },
  (call) => updateEarningRule(call, call.params.campaignId, call.params.earningRuleId, call.body),
);
