import { projectUser } from '#addons/admin/management/members.ts';
import { getUser } from '#addons/admin/management/users.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/users/{userId}',
    caller: 'management',
    summary: 'Get a user of a project',
    note: 'The user must belong to the project.',
    params: { userId: 'Id or login of the user. A login is an e-mail address.' },
    answers: 'The user.',
    reply: projectUser,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', userId: 'marit@harbourcoffee.example' } },
  },
  (call) => getUser(call, call.params),
);
