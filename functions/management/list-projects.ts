import { operation } from '../../lib/http/operation.ts';
import { listManagedProjects } from '../../lib/operator/management/projects.ts';
import { projectList } from '../../lib/operator/management/show-project.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects',
    caller: 'management',
    summary: 'List projects',
    note: 'A management key lists its own project.',
    answers: 'The projects that the caller may manage, by id.',
    reply: projectList,
    table: 'read',
  },
  listManagedProjects,
);
