import { removeUser } from '#addons/admin/management/users.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/users/{userId}',
    caller: 'management',
    summary: 'Remove a user from a project',
    note: 'The last owner of a project stays, and so does a user without another project.',
    params: { userId: 'Id or login of the user. A login is an e-mail address.' },
    answers: 'The user has no role in the project any more. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'user_not_assigned', 'last_owner', 'own_role', 'only_project'],
    example: { params: { projectId: 'proj_demo', userId: 'tomas@harbourcoffee.example' } },
  },
  (call) => removeUser(call, call.params),
);
