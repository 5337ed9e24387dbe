import { projectUser } from '#addons/admin/management/members.ts';
import { updateUser, updateUserBody } from '#addons/admin/management/users.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/users/{userId}',
    caller: 'management',
    summary: 'Update the role of a user',
    note: 'The last owner of a project, a user with the role ADMIN, keeps this role.',
    params: { userId: 'Id or login of the user. A login is an e-mail address.' },
    body: updateUserBody,
    answers: 'The user with the new role.',
    reply: projectUser,
    errors: ['used_incorrect_role', 'not_found', 'last_owner', 'own_role'],
    example: {
      params: { projectId: 'proj_demo', userId: 'tomas@harbourcoffee.example' },
      body: { role: 'MERCHANT' },
    },
  },
  (call) => updateUser(call, call.params, call.body),
);
