import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct, IConstruct } from 'constructs';
import { factAreas } from '#addons/reports/facts/fact-places.ts';
import { excuse } from './nag.ts';

/** The parts of reports in AWS, by the names that functions need. */
export interface ReportPlace {
  readonly bucket: Bucket;
  readonly workgroup: string;
  readonly database: string;
  readonly factStream: string;
}

const { fresh, packed, notes, answers } = factAreas;

const factsAreMade = 'File names hold the table, the project and the day, and a stack knows no project.';
const tablesAreListed = 'A report chooses its tables, and the database has nothing but the tables of facts.';

const inAreas = ({ bucket }: ReportPlace, areas: readonly string[]) =>
  areas.map((area) => bucket.arnForObjects(`${area}/*`));

function mayList({ bucket }: ReportPlace, areas: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { 's3:prefix': areas.map((area) => `${area}/*`) } },
  });
}

/** Lets a function ask Athena. Athena reads facts and writes results with the rights of the function. */
export function grantReports(scope: Construct, place: ReportPlace): PolicyStatement[] {
  const stack = Stack.of(scope);
  const ofGlue = (resource: string, resourceName?: string) =>
    stack.formatArn({ service: 'glue', resource, ...(resourceName === undefined ? {} : { resourceName }) });
  return [
    new PolicyStatement({
      actions: ['athena:StartQueryExecution', 'athena:GetQueryExecution', 'athena:GetQueryResults'],
      resources: [stack.formatArn({ service: 'athena', resource: 'workgroup', resourceName: place.workgroup })],
    }),
    new PolicyStatement({
      actions: ['glue:GetDatabase', 'glue:GetTable', 'glue:GetPartitions'],
      resources: [ofGlue('catalog'), ofGlue('database', place.database), ofGlue('table', `${place.database}/*`)],
    }),
    new PolicyStatement({ actions: ['s3:GetBucketLocation'], resources: [place.bucket.bucketArn] }),
    new PolicyStatement({ actions: ['s3:GetObject'], resources: inAreas(place, [fresh, packed, answers]) }),
    new PolicyStatement({
      actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
      resources: inAreas(place, [answers]),
    }),
    mayList(place, [fresh, packed, answers]),
  ];
}

/** Lets the packer move facts. It removes lines and files that it has replaced, and the facts of deleted projects. */
export function grantPacking(place: ReportPlace): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['s3:GetObject'], resources: inAreas(place, [fresh, packed, notes]) }),
    new PolicyStatement({ actions: ['s3:PutObject'], resources: inAreas(place, [packed, notes]) }),
    new PolicyStatement({ actions: ['s3:DeleteObject'], resources: inAreas(place, [fresh, packed]) }),
    mayList(place, [fresh, packed, notes]),
  ];
}

/** Lets a reader hand over facts, to the stream of facts or to the bucket. */
export function grantFacts(reader: LambdaFunction, place: ReportPlace): void {
  const arn = Stack.of(reader).formatArn({
    ...{ service: 'firehose', resource: 'deliverystream', resourceName: place.factStream },
  });
  reader.addToRolePolicy(new PolicyStatement({ actions: ['firehose:PutRecordBatch'], resources: [arn] }));
  reader.addToRolePolicy(new PolicyStatement({ actions: ['s3:PutObject'], resources: inAreas(place, [fresh]) }));
  if (reader.role) excuseAreas(reader.role, [fresh]);
}

/** A nested stack has the bucket as a parameter once it is prepared, and findings then name the parameter. */
const bucketNames = ['reportsfacts3F22E67A.Arn', 'referencetotesserareportsfacts85808274Arn'];

/** Excuses rights to all files of areas. */
export function excuseAreas(role: IConstruct, areas: readonly string[]): void {
  for (const area of areas) {
    for (const name of bucketNames) excuse(role, `AwsSolutions-IAM5[Resource::<${name}>/${area}/*]`, factsAreMade);
  }
}

/** Excuses the wildcards of the rights to reports. */
export function excuseReports(role: Construct, { database }: ReportPlace): void {
  excuseAreas(role, Object.values(factAreas));
  const table = `arn:<AWS::Partition>:glue:<AWS::Region>:<AWS::AccountId>:table/${database}/*`;
  excuse(role, `AwsSolutions-IAM5[Resource::${table}]`, tablesAreListed);
}

/** Names the places of facts for a reader. */
export const factEnvironment = ({ factStream, bucket }: ReportPlace) => ({
  FACT_STREAM: factStream,
  FACTS_BUCKET: bucket.bucketName,
});
