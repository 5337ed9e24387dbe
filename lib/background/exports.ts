import { createExportWork } from '../kit/exports/work.ts';
import { abandonJob } from '../kit/jobs/endings.ts';
import type { JobItem } from '../kit/jobs/job.ts';
import type { Work } from '../kit/jobs/run.ts';
import { closedObject } from '../loyalty/closes/start-close.ts';
import { closePoints } from '../loyalty/closes/work.ts';
import { exportedObjects } from './exported-objects.ts';
import { makeReportFiles, reportObject } from './reports/report-work.ts';

const exportLists = createExportWork(exportedObjects);

/**
 * Closes and reports are jobs of exports with names of their own, because an earlier release knows no other kind of job
 * (docs/contributing.md#shapes).
 */
function choose({ exported_object }: JobItem): Work {
  if (exported_object === reportObject) return makeReportFiles;
  return exported_object === closedObject ? closePoints : exportLists;
}

/** Makes the files of exports, closes and reports. */
export const makeFiles: Work = {
  run: (context, job) => choose(job).run(context, job),
  giveUp: (context, job) => (choose(job).giveUp ?? abandonJob)(context, job),
};
