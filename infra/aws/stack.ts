import { CfnOutput, NestedStack, Stack, Tags } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { defaultRateLimitPerMinute } from '#kernel/http/rate-limit.ts';
import { isRateLimited, listRequestLines, type Route } from '#kernel/http/route.ts';
import { operations } from '../operations.ts';
import { watchAccount } from './account-alarms.ts';
import { createAddress, createProof } from './address.ts';
import { Alarms } from './alarms.ts';
import { watchApi } from './api-alarms.ts';
import { createDashboard } from './dashboard.ts';
import { DueWorkerFunction } from './due-worker-function.ts';
import { targetsFor } from './event-targets.ts';
import { FamilyStack } from './family-stack.ts';
import { createFilesBucket } from './files-bucket.ts';
import { createAccessLog } from './gateway.ts';
import type { GatewayRoute, GatewayTarget, Throttle } from './gateway-route.ts';
import { JobQueues } from './job-queues.ts';
import { LogWorkerFunction } from './log-worker-function.ts';
import { addOpenFunctions } from './open-functions.ts';
import type { DeployOptions } from './options.ts';
import { ProbeFunction } from './probe-function.ts';
import { ReportParts } from './report-parts.ts';
import { Rollout } from './rollout.ts';
import { chooseSettings } from './settings.ts';
import type { StreamReaderFunction } from './stream-reader-function.ts';
import { createStreamWorker, createTotalsWorker } from './stream-readers.ts';
import { createBackup } from './table-backup.ts';
import { deriveGrant, type TableGrant } from './table-grants.ts';
import { createTable, watchTable } from './table-resource.ts';

/** Describes an endpoint as the stack needs it. */
export interface DeployedOperation {
  family: string;
  name: string;
  route: Route;
  grant: TableGrant;
}

/** Lists all endpoints. */
export const deployedOperations: readonly DeployedOperation[] = operations.map(({ family, name, route }) => ({
  family,
  name,
  route,
  grant: deriveGrant(route),
}));

export interface TesseraStackProps extends DeployOptions {
  operations?: readonly DeployedOperation[];
  /** The folder of the function's bundled code. */
  bundleDirOf: (name: string) => string | undefined;
}

function gatewayRoutesOf(route: Route, guard: string): GatewayRoute[] {
  const { authentication } = route;
  return listRequestLines(route).map((line) => ({
    ...line,
    guardedByIam: authentication === 'management' && guard === 'iam',
    isPublic: authentication === 'none',
    ...throttleOf(route),
  }));
}

/**
 * Gives the paths that a till or a web shop's server waits for a throttle of their own. A flood on other paths takes
 * nothing from them.
 */
const checkoutPath = /\/(redemptions?|rollbacks?|validations?|validate|qualifications?)$/;

function throttleOf({ authentication, method, path }: Route): { throttle?: Throttle } {
  if (authentication === 'none') return { throttle: 'public' };
  if (authentication === 'client') return { throttle: 'page' };
  return method === 'POST' && checkoutPath.test(path) ? { throttle: 'checkout' } : {};
}

/**
 * Deploys the service over one DynamoDB table. Each operation gets a function with its grant and its route. The stack
 * also has workers on the stream, the worker for due items, alarms and a dashboard. Each family of functions has a
 * nested stack, and so have the jobs.
 */
export class TesseraStack extends Stack {
  /** Maps operations to functions. The functions that anybody may call are included. */
  readonly endpoints: ReadonlyMap<string, LambdaFunction>;
  readonly jobQueues: JobQueues;
  readonly streamWorker: StreamReaderFunction;
  readonly totalsWorker: StreamReaderFunction;
  readonly logWorker: LogWorkerFunction;
  readonly dueWorker: DueWorkerFunction;
  readonly reports: ReportParts | undefined;

  constructor(scope: Construct, props: TesseraStackProps) {
    const {
      stage,
      distribution,
      mailSender,
      eventTargets,
      alarmEmail,
      ticketEmail,
      clientAddressHeader,
      projectMetrics = false,
      operations = deployedOperations,
    } = props;
    const { managementGuard = 'iam', rateLimitPerMinute = defaultRateLimitPerMinute, tillExecutions } = props;
    super(scope, 'tessera', {
      stackName: `tessera-${stage}`,
      description: `Tessera, stage ${stage}`,
      analyticsReporting: false,
    });
    const settings = chooseSettings(props);
    const proof = distribution ? createProof(this) : undefined;
    const alarms = new Alarms(this, 'alarms', {
      ...(alarmEmail === undefined ? {} : { email: alarmEmail }),
      ...(ticketEmail === undefined ? {} : { ticketEmail }),
    });
    const table = createTable(this, settings);
    watchTable(this, table, settings, alarms);
    if (props.backup) createBackup(this, props.backup, { table, settings, alarms });
    const files = createFilesBucket(this);
    const accessLog = createAccessLog(this, settings);
    const rollout = settings.gradual ? new Rollout(this, 'rollout') : undefined;

    const bundleDir = (name: string): string => {
      const dir = props.bundleDirOf(name);
      if (dir === undefined) throw new Error(`the function ${name} has no bundle`);
      return dir;
    };
    const reports = props.reports
      ? new ReportParts(this, 'reports', { bundleDir: bundleDir('fact-packer'), stage, table, settings, alarms })
      : undefined;
    this.reports = reports;
    const endpoints = new Map<string, LambdaFunction>();
    const targets: GatewayTarget[] = [];
    const validating: ILogGroup[] = [];
    for (const [family, members] of Map.groupBy(operations, ({ family }) => family)) {
      const functions = new FamilyStack(this, family);
      for (const { name, route, grant } of members) {
        const target = functions.add({
          name,
          bundleDir: bundleDir(name),
          description: route.summary,
          table,
          grant,
          files: route.files && { bucket: files, rights: route.files },
          reports: route.asksReports ? reports?.place : undefined,
          environment: {
            ...(isRateLimited(route) ? { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) } : {}),
            ...(route.authentication === 'client' && clientAddressHeader
              ? { CLIENT_ADDRESS_HEADER: clientAddressHeader }
              : {}),
            ...(projectMetrics && isRateLimited(route) ? { PROJECT_METRICS_STAGE: stage } : {}),
            ...(proof === undefined ? {} : { DISTRIBUTION_PROOF: proof }),
            ...(route.authentication === 'management' ? { MANAGEMENT_GUARD: managementGuard } : {}),
            ...targetsFor(name, eventTargets),
          },
          settings,
          tillExecutions,
          routes: gatewayRoutesOf(route, managementGuard),
          rollout,
        });
        targets.push(target);
        endpoints.set(name, target.lambda);
        if (route.validates) validating.push(target.logGroup);
      }
    }
    const open = addOpenFunctions(this, {
      bundleDir,
      table,
      settings,
      agents: props.agents,
      hasConsole: props.console ?? true,
    });
    targets.push(...open.values());
    for (const [name, { lambda }] of open) endpoints.set(name, lambda);
    this.endpoints = endpoints;

    const tags = { application: 'tessera', stage };
    const { url, apis } = createAddress(this, {
      ...{ stage, settings, accessLog, tags, targets },
      ...{ distribution, proof },
    });
    const routes = targets.flatMap((target) => target.routes);
    const tillAlarms = watchApi(this, { stage, settings, alarms, accessLog, routes });
    rollout?.brakeBy(tillAlarms);
    watchAccount(this, alarms);
    new ProbeFunction(this, 'probe', {
      bundleDir: bundleDir('probe'),
      table,
      settings,
      alarms,
      apiUrl: url,
    });

    const jobs = new NestedStack(this, 'jobs', { description: 'Tessera: the queues of jobs and their workers' });
    this.jobQueues = new JobQueues(jobs, 'queues', {
      bundleDir: bundleDir('job-worker'),
      table,
      files,
      reports: reports?.place,
      ...(mailSender === undefined ? {} : { mailSender }),
      ...(eventTargets === undefined ? {} : { eventTargets }),
      apiUrl: url,
      stage,
      settings,
      alarms,
    });
    const { jobQueues } = this;
    const common = { table, settings, alarms };
    this.streamWorker = createStreamWorker(this, {
      ...common,
      bundleDir: bundleDir('stream-worker'),
      jobQueues,
    });
    this.totalsWorker = createTotalsWorker(this, {
      ...common,
      bundleDir: bundleDir(reports ? 'totals-and-facts-worker' : 'totals-worker'),
      reports: reports?.place,
    });
    this.logWorker = new LogWorkerFunction(this, 'log-worker', {
      table,
      settings,
      bundleDir: bundleDir('log-worker'),
      logGroups: validating,
      reports: reports?.place,
    });
    this.dueWorker = new DueWorkerFunction(this, 'due-worker', {
      bundleDir: bundleDir('due-worker'),
      table,
      jobQueues,
      stage,
      settings,
      alarms,
    });
    const { streamWorker, totalsWorker, dueWorker } = this;
    createDashboard(this, { stage, apis, accessLog, table, jobQueues, streamWorker, totalsWorker, dueWorker });

    // The document of an imported API already has its routes.
    const excludeResourceTypes = ['AWS::ApiGatewayV2::Api'];
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value, { excludeResourceTypes });
    new CfnOutput(this, 'ApiUrl', { value: url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'FilesBucket', { value: files.bucketName });
    if (reports) new CfnOutput(this, 'FactsBucket', { value: reports.place.bucket.bucketName });
    new CfnOutput(this, 'AlarmTopic', { value: alarms.topics.page.topicArn });
    new CfnOutput(this, 'TicketTopic', { value: alarms.topics.ticket.topicArn });
  }
}
