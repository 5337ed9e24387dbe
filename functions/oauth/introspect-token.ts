import { introspectToken } from '#kernel/access/tokens/introspect-token.ts';
import { introspection } from '#kernel/access/tokens/token.ts';
import { tokenForm } from '#kernel/access/tokens/token-form.ts';
import { operation } from '#kernel/http/operation.ts';
import { form, json } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'POST /v1/oauth/introspect',
    caller: 'app-key',
    summary: 'Introspect a token',
    note: 'An unknown token, or a token of another project, is only reported as not active.',
    body: form(tokenForm),
    answers: 'The data of the token, or only that it is not active.',
    reply: json(introspection, { headers: { 'Cache-Control': 'no-store' } }),
    errors: ['missing_parameters'],
    table: 'get',
    example: { body: { access_token: 'ZAte9NWAjgqQ5KAvNX2hbTTFPw77Wuqkaotcxcab6qU' } },
  },
  (call) => introspectToken(call, call.body),
);
