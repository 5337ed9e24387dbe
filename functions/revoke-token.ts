import { endpoint } from '../lib/http/endpoint.ts';
import { tokenRoutes } from '../lib/routes/tokens.ts';
import { revokeToken } from '../lib/tokens/revoke-token.ts';

export const handler = endpoint(tokenRoutes, 'revoke-token', (call) => revokeToken(call, call.body));
