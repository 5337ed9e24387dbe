import { CfnElement, Duration, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { factAreas } from '#addons/reports/facts/fact-places.ts';
import type { Alarms } from './alarms.ts';
import { closedBucket } from './closed-bucket.ts';
import { createFactCatalogue } from './fact-catalogue.ts';
import { excuse } from './nag.ts';
import { createNodeFunction } from './node-function.ts';
import { excuseAreas, grantPacking, type ReportPlace } from './report-rights.ts';
import type { StageSettings } from './settings.ts';
import { get } from './table-grants.ts';

interface ReportPartsProps {
  /** The folder of the packer's bundled handler. */
  bundleDir: string;
  stage: string;
  table: TableV2;
  settings: StageSettings;
  alarms: Alarms;
}

/** Firehose keeps undeliverable records next to the facts. */
const failedArea = 'failed';

/** Facts are at most this much later than their changes, as long as Firehose is well. */
const deliveryTime = Duration.minutes(5);

/** One call ends before the next one begins. */
const packTime = Duration.minutes(14);

function createFactsBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'facts', {
    ...closedBucket,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      // A report keeps its own files elsewhere.
      { prefix: `${factAreas.answers}/`, expiration: Duration.days(1) },
    ],
    // Facts of removed items cannot be made again.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  excuse(bucket, 'AwsSolutions-S1', 'Server access logs would outlive the facts. Athena keeps who asked which query.');
  return bucket;
}

/** Creates the stream that collects lines of facts into files. */
function createFactStream(scope: Construct, { bucket, factStream }: ReportPlace): void {
  const role = new Role(scope, 'fact-stream-role', { assumedBy: new ServicePrincipal('firehose.amazonaws.com') });
  const areas = [factAreas.fresh, failedArea];
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
      resources: areas.map((area) => bucket.arnForObjects(`${area}/*`)),
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
      resources: [bucket.bucketArn],
    }),
  );
  excuseAreas(role, areas);
  const stream = new CfnDeliveryStream(scope, 'fact-stream', {
    deliveryStreamName: factStream,
    deliveryStreamType: 'DirectPut',
    deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
    extendedS3DestinationConfiguration: {
      bucketArn: bucket.bucketArn,
      roleArn: role.roleArn,
      // A pack holds a file in memory.
      bufferingHints: { intervalInSeconds: deliveryTime.toSeconds(), sizeInMBs: 32 },
      compressionFormat: 'GZIP',
      prefix: `${factAreas.fresh}/!{timestamp:yyyy/MM/dd/HH}/`,
      errorOutputPrefix: `${failedArea}/!{firehose:error-output-type}/`,
    },
  });
  // The stream names its role. It must also wait for the role's policy.
  const policy = role.node.findChild('DefaultPolicy').node.defaultChild;
  if (!(policy instanceof CfnElement)) throw new Error('the role of the stream of facts has no policy');
  stream.addOverride('DependsOn', [policy.logicalId]);
}

/**
 * Creates the bucket of facts, the stream that fills the bucket, the function that packs it, and the tables by which
 * Athena reads it (docs/decisions/reports-and-facts.md#d-181).
 */
export class ReportParts extends Construct {
  readonly place: ReportPlace;
  readonly packer: LambdaFunction;

  constructor(scope: Construct, id: string, { bundleDir, stage, table, settings, alarms }: ReportPartsProps) {
    super(scope, id);
    const catalogue = new NestedStack(scope, 'fact-catalogue', { description: 'Tessera: the tables of facts' });
    const place: ReportPlace = {
      bucket: createFactsBucket(this),
      workgroup: `tessera-${stage}`,
      database: `tessera_${stage.replaceAll('-', '_')}`,
      factStream: `tessera-${stage}-facts`,
    };
    this.place = place;
    createFactStream(this, place);
    createFactCatalogue(catalogue, place);
    const { lambda, role, logGroup } = createNodeFunction(new Construct(this, 'packer'), {
      bundleDir,
      description: 'Packs facts into files of a project and a day',
      table,
      // A deleted project's item stays, and says so.
      grant: { actions: get, keys: ['*#PROJECT'] },
      environment: { FACTS_BUCKET: place.bucket.bucketName },
      // A pack holds some 100,000 facts, and computes with one core.
      memorySizeInMb: 1769,
      timeout: packTime,
      settings,
    });
    this.packer = lambda;
    for (const statement of grantPacking(place)) role.addToPolicy(statement);
    excuseAreas(role, Object.values(factAreas));
    // The next call is the retry.
    lambda.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'schedule', {
      description: 'Runs each quarter of an hour, to pack facts each hour, or what a pack has left',
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new FunctionTarget(lambda)],
    });
    // Reports hold no money.
    if (!settings.watchesAll) return;
    const period = Duration.hours(1);
    alarms.add(this, 'packed', {
      urgency: 'ticket',
      description: 'Facts have not been packed for three hours: reports stay right, and become slow. See its log',
      metric: new MetricFilter(this, 'packed-count', {
        logGroup,
        filterPattern: FilterPattern.stringValue('$.job', '=', 'pack-facts'),
        metricNamespace: 'Tessera',
        metricName: `${stage}-facts-packed`,
        metricValue: '1',
      }).metric({ statistic: Stats.SUM, period }),
      atLeast: 1,
      periods: 3,
    });
    alarms.add(this, 'late', {
      urgency: 'ticket',
      description: 'Facts wait for more than half an hour: Firehose cannot write to the bucket of facts',
      metric: new Metric({
        namespace: 'AWS/Firehose',
        metricName: 'DeliveryToS3.DataFreshness',
        dimensionsMap: { DeliveryStreamName: place.factStream },
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(5),
      }),
      above: Duration.minutes(30).toSeconds(),
    });
  }
}
