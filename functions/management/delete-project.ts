import { deleteProject } from '#addons/admin/management/projects.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}',
    caller: 'management',
    summary: 'Delete a project',
    note:
      'Deletes the project with everything that it has, for ever. Its keys are refused everywhere within 60 seconds. ' +
      'A job deletes its objects and files.',
    answers: 'The project is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => deleteProject(call, call.params.projectId),
);
