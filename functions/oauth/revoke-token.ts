import { revokeToken } from '#kernel/access/tokens/revoke-token.ts';
import { tokenForm } from '#kernel/access/tokens/token-form.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty, form } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'POST /v1/oauth/token/revoke',
    caller: 'app-key',
    summary: 'Revoke a token',
    note: 'The token stops working within 60 seconds.',
    body: form(tokenForm),
    answers: 'The token is revoked. The body is empty.',
    reply: empty,
    errors: ['missing_parameters', 'not_found'],
    example: { body: { access_token: 'ZAte9NWAjgqQ5KAvNX2hbTTFPw77Wuqkaotcxcab6qU' } },
  },
  (call) => revokeToken(call, call.body),
);
