import { listProjectKeys, projectKeyList } from '#addons/admin/management/project-keys.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/keys',
    caller: 'management',
    summary: 'List the keys of a project',
    note: 'This path is an addition of Tessera.',
    answers: 'The keys, without their tokens.',
    reply: projectKeyList,
    errors: ['not_found'],
    table: 'read',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listProjectKeys(call, call.params.projectId),
);
