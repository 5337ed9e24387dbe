import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface NodeFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  /** What it may do to the table and its indexes. */
  tableActions: readonly string[];
  /** Beyond what every function needs. */
  environment?: Readonly<Record<string, string>>;
  memorySizeInMb: number;
  timeout: Duration;
  /** Whether the log outlives the stack. */
  keepLog: boolean;
}

/** A function of the project's bundles, with a role and a log group of its own in `scope`. */
export function nodeFunction(
  scope: Construct,
  {
    bundleDir,
    description,
    table,
    tableActions,
    environment = {},
    memorySizeInMb,
    timeout,
    keepLog,
  }: NodeFunctionProps,
): { lambda: LambdaFunction; role: Role } {
  const logGroup = new LogGroup(scope, 'log-group', {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: keepLog ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });

  // Not AWSLambdaBasicExecutionRole: that may write to every log group of the account.
  const role = new Role(scope, 'role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
  );
  if (tableActions.length > 0) {
    role.addToPolicy(
      new PolicyStatement({ actions: [...tableActions], resources: [table.tableArn, `${table.tableArn}/index/*`] }),
    );
  }

  const lambda = new LambdaFunction(scope, 'Default', {
    description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memorySizeInMb,
    timeout,
    code: Code.fromAsset(bundleDir),
    handler: 'index.handler',
    environment: { TABLE_NAME: table.tableName, NODE_OPTIONS: '--enable-source-maps', ...environment },
    role,
    logGroup,
  });
  return { lambda, role };
}
