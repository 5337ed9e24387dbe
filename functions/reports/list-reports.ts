import { listReports, reportsReply } from '#addons/reports/report-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/reports',
    scope: 'reports',
    summary: 'List the reports that can be made',
    note: 'The list is the same in all projects. `POST /v1/reports/{reportName}` makes a report.',
    answers: 'All reports with their parameters.',
    reply: reportsReply,
    table: 'get',
  },
  async ({ project }) => listReports({ project }),
);
