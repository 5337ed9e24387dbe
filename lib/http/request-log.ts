import { describeFailure } from '../core/failure.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { projectMetrics } from './project-metrics.ts';
import { type Middleware, openScope } from './request-scope.ts';
import type { Route } from './route.ts';

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
