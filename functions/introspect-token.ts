import { endpoint } from '../lib/http/endpoint.ts';
import { tokenRoutes } from '../lib/routes/tokens.ts';
import { introspectToken } from '../lib/tokens/introspect-token.ts';

export const handler = endpoint(tokenRoutes, 'introspect-token', (call) => introspectToken(call, call.body));
