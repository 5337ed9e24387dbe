import * as v from 'valibot';
import type { Routes } from './route.ts';

export const fallbackRoutes = {
  'unknown-path': {
    method: 'ANY',
    path: '/{path+}',
    summary: 'Answer what no other route does',
    authentication: 'none',
    access: 'none',
    reply: { kind: 'json', status: 200, schema: v.never() },
    errors: ['not_found', 'method_not_allowed'],
  },
} as const satisfies Routes;
