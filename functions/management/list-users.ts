import { listUsers, userList } from '#addons/admin/management/users.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/users',
    caller: 'management',
    summary: 'List the users of a project',
    note: 'Users of other projects are left out. The reply has no passwords or keys.',
    answers: 'All users of the project, by login.',
    reply: userList,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listUsers(call, call.params.projectId),
);
