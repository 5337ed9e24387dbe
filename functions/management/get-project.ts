import { getManagedProject } from '#addons/admin/management/projects.ts';
import { managedProject } from '#addons/admin/management/show-project.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}',
    caller: 'management',
    summary: 'Get a project',
    note: 'The reply has the settings of the project. It does not list its keys.',
    answers: 'The project. Tokens of keys are not shown again.',
    reply: managedProject,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => getManagedProject(call, call.params.projectId),
);
