/** Names the metrics of projects in CloudWatch. See docs/operations.md#project-metrics. */
const namespace = 'Tessera/Projects';

interface MeasuredRequest {
  readonly stage: string;
  readonly status: number;
  readonly now: Date;
}

/** Returns the metrics that one request counts for its project. */
function countsOf(status: number): { calls: 1; refusals?: 1; turned_away?: 1 } {
  if (status === 429) return { calls: 1, turned_away: 1 };
  return status >= 400 && status < 500 ? { calls: 1, refusals: 1 } : { calls: 1 };
}

/**
 * Returns the fields from which CloudWatch makes metrics of a project, in a log line that has its `project_id` (embedded metric
 * format). A metric that would be 0 is left out: each metric that a project has costs money.
 */
export function projectMetrics({ stage, status, now }: MeasuredRequest): Readonly<Record<string, unknown>> {
  const counts = countsOf(status);
  return {
    stage,
    ...counts,
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [['stage', 'project_id']],
          Metrics: Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' })),
        },
      ],
    },
  };
}
