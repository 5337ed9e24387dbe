import { issueToken } from '#kernel/access/tokens/issue-token.ts';
import { token } from '#kernel/access/tokens/token.ts';
import { tokenRequest } from '#kernel/access/tokens/token-form.ts';
import { operation } from '#kernel/http/operation.ts';
import { form, json } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'POST /v1/oauth/token',
    caller: 'app-key',
    summary: 'Generate a token',
    note: 'A token with `user_id` acts for a user. The scopes of the reply are those that the role of the user allows.',
    body: form(tokenRequest),
    answers: 'The token.',
    reply: json(token, { headers: { 'Cache-Control': 'no-store' } }),
    errors: ['missing_parameters', 'invalid_grant_type', 'invalid_scope', 'user_not_assigned'],
    example: { body: { grant_type: 'client_credentials', scope: 'vouchers loyalties' } },
  },
  (call) => issueToken(call, call.body),
);
