import { projectUser } from '#addons/admin/management/members.ts';
import { addUser, addUserBody } from '#addons/admin/management/users.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/users',
    caller: 'management',
    summary: 'Add a user to a project',
    note:
      'Gives an existing user a role, without asking the user. The reply shows the first and last name that another project has given the user, ' +
      'to each caller who knows the login. A person who is not a user yet needs an invitation.',
    body: addUserBody,
    answers: 'The user.',
    reply: projectUser,
    errors: ['used_incorrect_role', 'not_found', 'duplicate_found', 'too_many_resources'],
    example: {
      params: { projectId: 'proj_demo' },
      body: { login: 'tomas@harbourcoffee.example', role: 'VIEWER' },
    },
  },
  (call) => addUser(call, call.params.projectId, call.body),
);
