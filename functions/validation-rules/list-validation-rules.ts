import { validationRule } from '#engine/rules/resource.ts';
import { listValidationRules } from '#engine/vouchers/assignments/show-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/validation-rules',
    scope: 'validation-rules',
    summary: 'List the validation rules of the project',
    note: 'Returns the newest first unless `order` says otherwise.',
    answers: 'The rules.',
    query: validationRule.listQuery,
    reply: validationRule.listReply,
  },
  (call) => listValidationRules(call, call.query),
);
