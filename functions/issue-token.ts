import { endpoint } from '../lib/http/endpoint.ts';
import { tokenRoutes } from '../lib/routes/tokens.ts';
import { issueToken } from '../lib/tokens/issue-token.ts';

export const handler = endpoint(tokenRoutes, 'issue-token', (call) => issueToken(call, call.body));
