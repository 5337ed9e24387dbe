import { invitationBody } from '#addons/admin/management/invitation.ts';
import { inviteUser } from '#addons/admin/management/invite-user.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/users/invite',
    caller: 'management',
    summary: 'Invite a user',
    note:
      'Invites the user to all named projects, or to none. A repeated invitation to a project renews it, ' +
      'with the new role.',
    body: invitationBody,
    answers: 'The invitation is sent. The body is empty.',
    reply: empty,
    errors: ['used_incorrect_role', 'not_found', 'duplicate_found'],
    example: {
      body: {
        email: 'siv@harbourcoffee.example',
        first_name: 'Siv',
        last_name: 'Aune',
        projects: { proj_demo: 'role_barista' },
      },
    },
  },
  (call) => inviteUser(call, call.body),
);
