import { updateProject, updateProjectBody } from '#addons/admin/management/projects.ts';
import { managedProject } from '#addons/admin/management/show-project.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}',
    caller: 'management',
    summary: 'Update a project',
    note: 'Changes the sent settings. They take effect everywhere within 60 seconds. `case_sensitive_codes` cannot be changed.',
    body: updateProjectBody,
    answers: 'The updated project.',
    reply: managedProject,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { projectId: 'proj_demo' },
      body: { description: 'Coffee by the harbour', default_code_config: { length: 10, prefix: 'HARBOUR-' } },
    },
  },
  (call) => updateProject(call, call.params.projectId, call.body),
);
