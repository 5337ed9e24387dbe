import { composeAthena } from '#addons/reports/athena/compose.ts';
import { makeReport } from '#addons/reports/make-report.ts';
import { reportBody, reportReply } from '#addons/reports/report-body.ts';
import { operation } from '#kernel/http/operation.ts';
import { orAccepted } from '#kernel/http/route.ts';
import { startedAction } from '#kernel/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'POST /v1/reports/{reportName}',
    scope: 'reports',
    summary: 'Make a report',
    note:
      'Answers from facts that are some milliseconds old, or some minutes in a deployment on AWS. A report that needs more than a second is 202 with an async ' +
      'action. Ask for the action until it is DONE. Its `result.report` has the rows, and addresses of files.',
    params: { reportName: 'Name of the report, such as redemptions. The list of reports has all names.' },
    body: reportBody,
    answers: 'The rows of the report.',
    reply: orAccepted(reportReply, startedAction),
    errors: ['not_found', 'reports_disabled', 'report_too_large', 'report_canceled'],
    reports: { open: composeAthena },
    example: { params: { reportName: 'redemptions' }, body: { from: '2026-06-01', to: '2026-06-30', by: 'campaign' } },
  },
  (call) => makeReport(call, call.params.reportName, call.body),
);
