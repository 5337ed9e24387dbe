import { createProject, createProjectBody } from '#addons/admin/management/projects.ts';
import { createdProject } from '#addons/admin/management/show-project.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects',
    caller: 'management',
    summary: 'Create a project',
    note: 'A management key of one project creates no others. The reply alone shows the tokens of the two keys. One transaction creates the project, its keys and the roles of its users.',
    body: createProjectBody,
    answers: 'The project, with a key for servers and a key for web pages.',
    reply: createdProject,
    errors: ['used_incorrect_role', 'not_found', 'duplicate_found', 'forbidden', 'too_many_resources'],
    example: {
      body: {
        name: 'Quay Coffee',
        case_sensitive_codes: false,
        timezone: 'Europe/Oslo',
        currency: 'NOK',
        client_trusted_domains: ['https://quay.example'],
        client_redeem_enabled: true,
        users: [{ login: 'marit@harbourcoffee.example', role: 'ADMIN' }],
      },
    },
  },
  (call) => createProject(call, call.body),
);
