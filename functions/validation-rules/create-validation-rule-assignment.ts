import * as v from 'valibot';
import { assignRule } from '#engine/vouchers/assignments/assign.ts';
import { assignRuleBody, readRelatedName } from '#engine/vouchers/assignments/assign-body.ts';
import { showAssignment, shownAssignment } from '#engine/vouchers/assignments/list-assignments.ts';
import { described } from '#kernel/core/documented.ts';
import { operation } from '#kernel/http/operation.ts';
import { sentBoolean } from '#kernel/http/page.ts';

export const handler = operation(
  {
    route: 'POST /v1/validation-rules/{validationRuleId}/assignments',
    scope: 'validation-rules',
    summary: 'Assign a validation rule',
    note: 'An object has one rule. The rules of a campaign also apply to its vouchers.',
    answers: 'The assignment.',
    query: v.object({ force: described(v.optional(sentBoolean, 'false'), 'Replaces the rule that the object has.') }),
    body: assignRuleBody,
    reply: shownAssignment,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { validationRuleId: 'val_two_bags' },
      query: 'force=true',
      body: { related_object_type: 'voucher', related_object_id: 'TIDE-HELLO' },
    },
  },
  async ({ params, body, query, ...call }) =>
    showAssignment(await assignRule(call, params.validationRuleId, readRelatedName(body), query)),
);
