import { addOn, lazyWork } from '#kernel/kit/add-on.ts';

/** Reports, closes and estimates of liability. The option `reports` of a stage adds the facts that most reports need. */
export const reportsAddOn = addOn({
  name: 'reports',
  operations: ['/v1/reports'],
  jobs: () => ({
    'close-points': lazyWork(async () => (await import('./closes/work.ts')).closePoints),
    'make-report': lazyWork(async () => (await import('./report-work.ts')).makeReportFiles),
  }),
  stack: { queues: [], files: { exports: ['put reports'] } },
  options: ['reports'],
});
