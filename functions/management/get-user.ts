import { operation } from '../../lib/http/operation.ts';
import { projectUser } from '../../lib/operator/management/members.ts';
import { getUser } from '../../lib/operator/management/users.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/users/{userId}',
    caller: 'management',
    summary: 'Get a user of a project',
    params: { userId: 'Id or login of the user. A login is an e-mail address.' },
    answers: 'The user.',
    reply: projectUser,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', userId: 'marit@harbourcoffee.example' } },
  },
  (call) => getUser(call, call.params),
);
