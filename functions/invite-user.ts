import { endpoint } from '../lib/http/endpoint.ts';
import { inviteUser } from '../lib/management/invite-user.ts';
import { managementRoutes } from '../lib/routes/management.ts';

export const handler = endpoint(managementRoutes, 'invite-user', (call) => inviteUser(call, call.body));
