import { listManagedProjects } from '#addons/admin/management/projects.ts';
import { projectList } from '#addons/admin/management/show-project.ts';
import { operation } from '#kernel/http/operation.ts';

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
