import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

interface SavedQueriesProps {
  readonly stage: string;
  readonly accessLog: ILogGroup;
  /** The logs of the functions that tills wait for. */
  readonly tills: readonly ILogGroup[];
  /** The logs of the workers of jobs. */
  readonly workers: readonly ILogGroup[];
}

/** CloudWatch accepts no more log groups for one query. */
const mostLogGroups = 50;

/** Saves the queries that an operator needs at an alarm. They cost nothing until they run. */
export function saveQueries(scope: Construct, { stage, accessLog, tills, workers }: SavedQueriesProps): void {
  const save = (
    name: string,
    logGroups: readonly ILogGroup[],
    filterStatements: readonly string[],
    rest: { statsStatements?: string[]; sort: string; fields?: string[] },
  ) =>
    new QueryDefinition(scope, `query-${name.replaceAll(' ', '-')}`, {
      queryDefinitionName: `tessera-${stage}/${name}`,
      logGroups: logGroups.slice(0, mostLogGroups),
      queryString: new QueryString({ filterStatements: [...filterStatements], ...rest, limit: 50 }),
    });
  save('failed requests', [accessLog], ['status like /^5/'], {
    fields: ['@timestamp', 'routeKey', 'status', 'requestId', 'integrationError'],
    sort: '@timestamp desc',
  });
  save('requests turned away', [accessLog], ['status = "429"'], {
    statsStatements: ['count(*) as requests by routeKey, integrationStatus, sourceIp'],
    sort: 'requests desc',
  });
  save('slow routes', [accessLog], [], {
    statsStatements: ['count(*) as requests, pct(latencyInMs, 99) as p99_ms, max(latencyInMs) as max_ms by routeKey'],
    sort: 'p99_ms desc',
  });
  save('errors of tills', tills, ['level = "error"'], {
    fields: ['@timestamp', 'request_id', 'project_id', 'cause', 'stack'],
    sort: '@timestamp desc',
  });
  save('errors of jobs', workers, ['level = "error" or given_up = 1 or webhook_failed = 1'], {
    fields: ['@timestamp', 'job', 'item', 'about', 'cause', 'stack'],
    sort: '@timestamp desc',
  });
}
