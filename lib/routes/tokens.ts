import * as v from 'valibot';
import { introspection, token } from '../tokens/token.ts';
import type { Routes } from './route.ts';

/** RFC 6749 §3.2: a field must not be sent twice. */
const field = v.optional(v.custom<string>((value) => typeof value === 'string', 'must be sent once'));

const tokenForm = { format: 'form', schema: v.object({ access_token: field }) } as const;

/** What is told of a token is for the caller alone. */
const headers = { 'Cache-Control': 'no-store' } as const;

export const tokenRoutes = {
  'issue-token': {
    method: 'POST',
    path: '/v1/oauth/token',
    summary: 'Generate a token',
    authentication: 'app-key',
    access: 'write',
    body: { format: 'form', schema: v.object({ grant_type: field, scope: field }) },
    reply: { kind: 'json', status: 200, schema: token, headers },
    errors: ['missing_parameters', 'invalid_grant_type', 'invalid_scope'],
  },
  'introspect-token': {
    method: 'POST',
    path: '/v1/oauth/introspect',
    summary: 'Introspect a token',
    authentication: 'app-key',
    access: 'read',
    body: tokenForm,
    reply: { kind: 'json', status: 200, schema: introspection, headers },
    errors: ['missing_parameters'],
  },
  'revoke-token': {
    method: 'POST',
    path: '/v1/oauth/token/revoke',
    summary: 'Revoke a token',
    authentication: 'app-key',
    access: 'write',
    body: tokenForm,
    reply: { kind: 'empty', status: 204 },
    errors: ['missing_parameters', 'not_found'],
  },
} as const satisfies Routes;
