import { CfnElement, CfnResource, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { FileRight } from '#kernel/core/files/access.ts';
import { excuse } from './nag.ts';
import { excuseReports, grantReports, type ReportPlace } from './report-rights.ts';
import type { StageSettings } from './settings.ts';
import { closedKeys, type TableGrant, writeActions } from './table-grants.ts';

const tracesHaveNoResource =
  'xray:PutTraceSegments and xray:PutTelemetryRecords have no resources, so IAM accepts only * for them. They write traces and read nothing.';

const fileActions = {
  put: 's3:PutObject',
  read: 's3:GetObject',
  remove: 's3:DeleteObject',
  list: 's3:ListBucket',
} as const;

const filesAreMade = 'File names hold the project and the object, and a stack knows neither.';

function isFileVerb(verb: string): verb is keyof typeof fileActions {
  return Object.hasOwn(fileActions, verb);
}

/** Parses a right: the IAM action, and the area of its files. */
function fileActionOf(right: FileRight): { action: string; area: string } {
  const [verb = '', area = ''] = right.split(' ');
  if (!isFileVerb(verb)) throw new Error(`no right to files begins with ${verb}`);
  return { action: fileActions[verb], area };
}

export interface NodeFunctionProps {
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  /** Lists what the function may do to files, and where the files are. */
  files?: { bucket: Bucket; rights: readonly FileRight[] } | undefined;
  /** The reports that the function may ask for. */
  reports?: ReportPlace | undefined;
  /** Lists rights beyond those that every function needs. */
  environment?: Readonly<Record<string, string>>;
  memorySizeInMb: number;
  timeout: Duration;
  settings: StageSettings;
  /** Sets a ceiling, taken from the executions that all functions of the account share. */
  reservedConcurrency?: number | undefined;
}

/** `ForAllValues` alone is also true for a call that names no key. */
function onlyOf(keys: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

function tableStatements(table: TableV2, grant: TableGrant): PolicyStatement[] {
  const { actions, indexes = [], keys, counts } = grant;
  const named = (all: readonly string[]) => all.map((action) => `dynamodb:${action}`);
  const own = new PolicyStatement({
    actions: named(actions),
    resources: [table.tableArn, ...indexes.map((name) => `${table.tableArn}/index/${name}`)],
    ...(keys === undefined ? {} : { conditions: onlyOf(keys) }),
  });
  const counting = new PolicyStatement({
    actions: named(['UpdateItem']),
    resources: [table.tableArn],
    ...(counts === undefined ? {} : { conditions: onlyOf(counts) }),
  });
  const closed = closedKeys(grant);
  // A fault in a function must not create credentials for any project.
  const denial = new PolicyStatement({
    effect: Effect.DENY,
    actions: named(writeActions),
    resources: [table.tableArn],
    conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': closed } },
  });
  return [
    ...(actions.length > 0 ? [own] : []),
    ...(counts === undefined ? [] : [counting]),
    ...(closed.length > 0 ? [denial] : []),
  ];
}

function fileStatements(files: NodeFunctionProps['files']): PolicyStatement[] {
  if (!files) return [];
  const rights = files.rights.map(fileActionOf);
  // S3 lists a bucket, and the prefix is a condition.
  const listed = rights.filter(({ action }) => action === fileActions.list).map(({ area }) => `${area}/*`);
  const lists = new PolicyStatement({
    actions: [fileActions.list],
    resources: [files.bucket.bucketArn],
    conditions: { StringLike: { 's3:prefix': listed } },
  });
  const others = rights.filter(({ action }) => action !== fileActions.list);
  return [
    ...others.map(({ action, area }) => {
      const resources = [files.bucket.arnForObjects(`${area}/*`)];
      return new PolicyStatement({ actions: [action], resources });
    }),
    ...(listed.length > 0 ? [lists] : []),
  ];
}

/** Creates a role with exactly these rights, including the logs of the functions that share it. */
export interface FunctionRole {
  role: Role;
  mayLog: PolicyStatement;
}

export type FunctionRights = Pick<NodeFunctionProps, 'table' | 'grant' | 'files' | 'reports'>;

export function createFunctionRole(
  scope: Construct,
  id: string,
  { table, grant, files, reports }: FunctionRights,
): FunctionRole {
  // AWSLambdaBasicExecutionRole would let the function write to every log group of the account.
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const mayLog = new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'] });
  for (const statement of [mayLog, ...tableStatements(table, grant), ...fileStatements(files)])
    role.addToPolicy(statement);
  if (reports) {
    for (const statement of grantReports(role, reports)) role.addToPolicy(statement);
    excuseReports(role, reports);
  }
  excuse(role, 'AwsSolutions-IAM5[Resource::*]', tracesHaveNoResource);
  for (const { area } of (files?.rights ?? []).map(fileActionOf)) {
    // A nested stack has the bucket as a parameter once it is prepared, and findings then name the parameter.
    for (const bucket of ['files6F97A25D.Arn', 'referencetotesserafiles25AC956DArn'])
      excuse(role, `AwsSolutions-IAM5[Resource::<${bucket}>/${area}/*]`, filesAreMade);
  }
  return { role, mayLog };
}

/**
 * Removes a dependency that the CDK states twice, because cfn-lint refuses it. The function names its role and so waits
 * for it.
 */
function dependOnPolicy(lambda: LambdaFunction, role: Role): void {
  const policy = role.node.findChild('DefaultPolicy').node.defaultChild;
  const { defaultChild } = lambda.node;
  if (!(policy instanceof CfnElement && defaultChild instanceof CfnResource)) throw new Error('the role has no policy');
  defaultChild.addOverride('DependsOn', [policy.logicalId]);
}

/**
 * Creates a function of the project's bundles, with its own log group in `scope`. It has its own role unless it shares
 * a role.
 */
export function createNodeFunction(
  scope: Construct,
  props: NodeFunctionProps,
  shared: FunctionRole = createFunctionRole(scope, 'role', props),
): { lambda: LambdaFunction; role: Role; logGroup: LogGroup } {
  const { bundleDir, description, table, files, reports, environment = {}, memorySizeInMb, timeout, settings } = props;
  const { reservedConcurrency } = props;
  const logGroup = new LogGroup(scope, 'log-group', {
    retention: settings.logRetention,
    removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const { role, mayLog } = shared;
  mayLog.addResources(logGroup.logGroupArn);

  const lambda = new LambdaFunction(scope, 'Default', {
    description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memorySizeInMb,
    timeout,
    code: Code.fromAsset(bundleDir),
    handler: 'index.handler',
    environment: {
      TABLE_NAME: table.tableName,
      ...(files ? { FILES_BUCKET: files.bucket.bucketName } : {}),
      ...(reports ? { REPORTS_WORKGROUP: reports.workgroup, REPORTS_DATABASE: reports.database } : {}),
      ...environment,
    },
    role,
    logGroup,
    // Lambda samples by rates that no one can set: one call a second of each function, and 5 % of the others. Passing
    // traces through leaves the choice to the caller, by the header X-Amzn-Trace-Id.
    tracing: settings.watchesAll ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
    ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
  });
  dependOnPolicy(lambda, role);
  return { lambda, role, logGroup };
}
