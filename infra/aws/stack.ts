import { CfnOutput, NestedStack, Stack, Tags } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { defaultRateLimitPerMinute } from '#kernel/http/rate-limit.ts';
import { isRateLimited, type Route } from '#kernel/http/route.ts';
import { leftOutVariable, withoutLeftOut } from '../left-out.ts';
import { watchAccount } from './account-alarms.ts';
import { createAddress, createProof } from './address.ts';
import { Alarms } from './alarms.ts';
import { watchApi } from './api-alarms.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import { type DeployedOperation, deployedOperations, listFunctions } from './deployed-functions.ts';
import { DueWorkerFunction } from './due-worker-function.ts';
import { targetsFor } from './event-targets.ts';
import { FamilyStack } from './family-stack.ts';
import { createFilesBucket } from './files-bucket.ts';
import { createAccessLog } from './gateway.ts';
import type { GatewayTarget } from './gateway-route.ts';
import { JobQueues } from './job-queues.ts';
import { warnOfReserved } from './limits.ts';
import { LogWorkerFunction } from './log-worker-function.ts';
import { addOpenFunctions } from './open-functions.ts';
import type { DeployOptions } from './options.ts';
import { ProbeFunction } from './probe-function.ts';
import { ReportParts } from './report-parts.ts';
import { Rollout } from './rollout.ts';
import { saveQueries } from './saved-queries.ts';
import { chooseSettings } from './settings.ts';
import { sharedPathOf } from './shared-families.ts';
import { watchStream } from './silent-stream-alarm.ts';
import { chainStacks } from './stack-chain.ts';
import type { StreamReaderFunction } from './stream-reader-function.ts';
import { createStreamWorker, createTotalsWorker } from './stream-readers.ts';
import { createBackup } from './table-backup.ts';
import { createTable, watchTable } from './table-resource.ts';

export interface TesseraStackProps extends DeployOptions {
  operations?: readonly DeployedOperation[];
  /** Says whether the stage does not exist yet. Warnings of the gateway then stop nothing. */
  isFirst?: boolean;
  /** The folder of the function's bundled code. */
  bundleDirOf: (name: string) => string | undefined;
}

/**
 * Deploys the service over one DynamoDB table. Each operation gets a function with its grant and its route, or shares
 * one with its family. The stack also has workers on the stream, the worker for due items, alarms and a dashboard. Each family of functions has a
 * nested stack, and so have the jobs.
 */
export class TesseraStack extends Stack {
  /** Maps operations to functions. The functions without credentials are included. */
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
      pagerUrl,
      budget,
      clientAddressHeader,
      projectMetrics = false,
      operations = deployedOperations,
      leaveOut = [],
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
      ...(pagerUrl === undefined ? {} : { pagerUrl }),
    });
    const budgetEmail = ticketEmail ?? alarmEmail;
    if (budget !== undefined && budgetEmail) createBudget(this, { stage, dollars: budget, email: budgetEmail });
    const table = createTable(this, settings);
    watchTable(this, table, settings, alarms);
    createBackup(this, props.backup, { stage, table, settings, alarms });
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
    const tills: ILogGroup[] = [];
    const families: FamilyStack[] = [];
    const listed = listFunctions(withoutLeftOut(operations, leaveOut), managementGuard);
    for (const [family, members] of Map.groupBy(listed, (one) => one.family)) {
      const functions = new FamilyStack(this, family, { proof, size: members.length });
      families.push(functions);
      for (const { name, description, operations: served, routes, grant, files: rights } of members) {
        const does = (question: (route: Route) => boolean) => served.some(({ route }) => question(route));
        const isLimited = does(isRateLimited);
        const target = functions.add({
          name,
          bundleDir: bundleDir(name),
          description,
          table,
          grant,
          files: rights && { bucket: files, rights },
          reports: does(({ asksReports }) => asksReports) ? reports?.place : undefined,
          environment: {
            ...(isLimited ? { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) } : {}),
            ...(does(({ authentication }) => authentication === 'client') && clientAddressHeader
              ? { CLIENT_ADDRESS_HEADER: clientAddressHeader }
              : {}),
            ...(projectMetrics && isLimited ? { PROJECT_METRICS_STAGE: stage } : {}),
            ...(does(({ authentication }) => authentication === 'management')
              ? { MANAGEMENT_GUARD: managementGuard }
              : {}),
            ...(sharedPathOf(family) === undefined ? {} : leftOutVariable(leaveOut)),
            ...Object.assign({}, ...served.map((one) => targetsFor(one.name, eventTargets))),
          },
          settings,
          tillExecutions,
          routes,
          rollout,
        });
        targets.push(target);
        for (const one of served) endpoints.set(one.name, target.lambda);
        if (does(({ validates }) => validates)) validating.push(target.logGroup);
        if (routes.some(({ throttle }) => throttle === 'checkout')) tills.push(target.logGroup);
      }
    }
    const { stack: docs, open } = addOpenFunctions(this, {
      bundleDir,
      table,
      settings,
      agents: props.agents,
      hasConsole: props.console ?? true,
      proof,
      leaveOut,
    });
    targets.push(...open.values());
    for (const [name, { lambda }] of open) endpoints.set(name, lambda);
    this.endpoints = endpoints;
    chainStacks([...families, docs].map((one) => ({ stack: one, functions: one.functions })));

    const tags = { application: 'tessera', stage };
    const { url, apis } = createAddress(this, {
      ...{ stage, settings, accessLog, tags, targets },
      ...{ distribution, proof, isFirst: props.isFirst },
    });
    const routes = targets.flatMap((target) => target.routes);
    const tillAlarms = watchApi(this, { stage, settings, alarms, accessLog, routes });
    rollout?.brakeBy(tillAlarms);
    if (settings.watchesAll) watchAccount(this, alarms);
    if (settings.probe) {
      new ProbeFunction(this, 'probe', { bundleDir: bundleDir('probe'), table, settings, alarms, apiUrl: url });
    }

    const jobs = new NestedStack(this, 'jobs', { description: 'Tessera: the queues of jobs and their workers' });
    this.jobQueues = new JobQueues(jobs, 'queues', {
      bundleDir: bundleDir('job-worker'),
      table,
      files,
      reports: reports?.place,
      ...(mailSender === undefined ? {} : { mailSender }),
      ...(eventTargets === undefined ? {} : { eventTargets }),
      leaveOut,
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
      leaveOut,
    });
    this.totalsWorker = createTotalsWorker(this, {
      ...common,
      bundleDir: bundleDir(reports ? 'totals-and-facts-worker' : 'totals-worker'),
      reports: reports?.place,
    });
    watchStream(this, alarms, { table, readers: [this.streamWorker.function, this.totalsWorker.function] });
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
      leaveOut,
      stage,
      settings,
      alarms,
    });
    const { streamWorker, totalsWorker, dueWorker } = this;
    const workers = [...Object.values(jobQueues.workers), dueWorker.function].map(({ logGroup }) => logGroup);
    saveQueries(this, { stage, accessLog, tills, workers });
    if (settings.dashboard)
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
    warnOfReserved(this);
  }
}
