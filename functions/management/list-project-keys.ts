import { operation } from '../../lib/http/operation.ts';
import { listProjectKeys, projectKeyList } from '../../lib/operator/management/project-keys.ts';

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
