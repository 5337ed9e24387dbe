import { describeFailure } from '#kernel/core/failure.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { type Middleware, openScope } from './request-scope.ts';
import type { Route } from './route.ts';

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
function projectMetrics({ stage, status, now }: MeasuredRequest): Readonly<Record<string, unknown>> {
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

/** Names the kind of the credential: an app key, a bearer token, or a client key. */
function credentialsOf({ scopes, origin }: Caller): 'app_key' | 'token' | 'client_key' {
  if (scopes !== undefined) return 'token';
  return origin === undefined ? 'app_key' : 'client_key';
}

/**
 * Writes one JSON line per request. It names the route by its pattern, because a path contains codes, and the caller by project and app id
 * or manager. It has no header, body or query. Written items are named by kind and id, never by a code or a source id.
 */
export function logRequests(route: Route, dependencies: () => Dependencies): Middleware {
  const write: NonNullable<Middleware['after']> = ({ response, internal: { scope } }) => {
    const { clock, log, metricsStage: stage } = dependencies();
    const { calls, readUnits, writeUnits } = scope.table.meter;
    const status = response?.statusCode ?? 500;
    const projectId = scope.caller?.project.id ?? scope.manager?.projectId;
    const { names, count } = scope.table.written.told({ isRefused: status >= 400 });
    log(
      JSON.stringify({
        level: scope.cause === undefined ? 'info' : 'error',
        time: scope.now.toISOString(),
        request_id: scope.requestId,
        route: `${route.method} ${route.path}`,
        project_id: projectId ?? null,
        app_id: scope.caller?.appId ?? null,
        ...(scope.caller ? { credentials: credentialsOf(scope.caller) } : {}),
        ...(scope.manager ? { manager: scope.manager.name } : {}),
        status,
        ...(count > 0 ? { written: names, written_count: count } : {}),
        ...scope.notes,
        ...(scope.errorKey ? { error_key: scope.errorKey } : {}),
        ...(scope.refusalReason ? { refused_for: scope.refusalReason } : {}),
        duration_ms: clock().getTime() - scope.now.getTime(),
        dynamodb_calls: calls,
        read_units: readUnits,
        write_units: writeUnits,
        ...(stage && projectId ? projectMetrics({ stage, status, now: scope.now }) : {}),
        ...(scope.cause === undefined ? {} : describeFailure(scope.cause)),
      }),
    );
  };
  return {
    before: ({ event, context, internal }) => {
      internal.scope = openScope(event, context, dependencies());
    },
    after: write,
    onError: write,
  };
}
