import { operation } from '../../lib/http/operation.ts';
import { validationRule } from '../../lib/rules/resource.ts';
import { listValidationRules } from '../../lib/vouchers/assignments/show-rule.ts';

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
