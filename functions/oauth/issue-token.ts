import { operation } from '../../lib/http/operation.ts';
import { form, json } from '../../lib/http/route.ts';
import { issueToken } from '../../lib/http/tokens/issue-token.ts';
import { token } from '../../lib/http/tokens/token.ts';
import { tokenRequest } from '../../lib/http/tokens/token-form.ts';

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
