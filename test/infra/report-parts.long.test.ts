import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { athenaTypes, freshTable, packedTable } from '#addons/reports/athena/dialect.ts';
import { type FactTable, factTableNames, factTables } from '#addons/reports/facts/fact-tables.ts';
import { mostScannedBytes } from '../../infra/aws/fact-catalogue.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { statementsOf } from '../support/iam.ts';
import { deployed, idOf } from '../support/stack.ts';
import { resourcesIn } from '../support/template.ts';

let stack: TesseraStack;
let template: Template;

beforeAll(() => {
  ({ stack, template } = deployed('reporting'));
});

const only = (type: string) => {
  const found = Object.values(resourcesIn(template, type));
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

/** Returns the actions of a function beyond the table, its log and traces, with the areas of files. */
function rightsOf(functionId: string): string[] {
  return statementsOf(template, functionId)
    .filter(({ Action }) => !Action.some((action) => /^(dynamodb|logs|xray|sqs):/.test(action)))
    .flatMap(({ Action, Resource, Condition }) => {
      const areas = [...JSON.stringify([Resource, Condition]).matchAll(/"\/?([a-z]+)\/\*"/g)].map(([, area]) => area);
      return Action.map((action) => [action, ...areas].join(' '));
    })
    .sort();
}

const asking = [
  'athena:GetQueryExecution',
  'athena:GetQueryResults',
  'athena:StartQueryExecution',
  'glue:GetDatabase',
  'glue:GetPartitions',
  'glue:GetTable',
  's3:AbortMultipartUpload answers',
  's3:GetBucketLocation',
  's3:GetObject fresh packed answers',
  's3:ListBucket fresh packed answers',
  's3:PutObject answers',
];

describe('without the option', () => {
  test('no part of reports exists, and no function may ask Athena', () => {
    const { template: plain } = deployed('plain');
    for (const service of ['Athena', 'Glue', 'KinesisFirehose']) {
      expect(JSON.stringify(plain.toJSON())).not.toContain(`AWS::${service}::`);
    }
    expect(JSON.stringify(plain.toJSON())).not.toMatch(/"(athena|glue|firehose):|REPORTS_WORKGROUP|FACT_STREAM/);
  });
});

describe('the tables of facts', () => {
  const tableOf = (name: string) =>
    Object.values(resourcesIn(template, 'AWS::Glue::Table'))
      .map(({ Properties }) => Properties.TableInput)
      .find(({ Name }) => Name === name);

  test.each(factTableNames)('%s has the columns of its description, and partitions that nobody adds', (table) => {
    const { StorageDescriptor, PartitionKeys, Parameters } = tableOf(packedTable(table));
    const expected = Object.entries(factTables[table]).map(([Name, { type, words }]) => ({
      ...{ Name, Type: athenaTypes[type], Comment: words },
    }));
    expect(StorageDescriptor.Columns).toEqual(expected);
    expect(PartitionKeys.map(({ Name }: { Name: string }) => Name)).toEqual(['project', 'day']);
    expect(Parameters).toMatchObject({
      'projection.enabled': 'true',
      'projection.project.type': 'injected',
      'projection.day.range': '2020-01-01,NOW+1DAYS',
    });
    const place = JSON.stringify(Parameters['storage.location.template']);
    expect(place).toContain(`/packed/${table}/project=\${project}/day=\${day}/`);
  });

  test('and their lines have all columns of all tables', () => {
    const columns = new Set(factTableNames.flatMap((table: FactTable) => Object.keys(factTables[table])));
    const { StorageDescriptor } = tableOf(freshTable);
    const names = StorageDescriptor.Columns.map(({ Name }: { Name: string }) => Name);
    expect(names.toSorted()).toEqual(['day', 'fact_table', 'project', ...columns].toSorted());
    expect(StorageDescriptor.SerdeInfo.SerializationLibrary).toBe('org.apache.hive.hcatalog.data.JsonSerDe');
  });
});

test('a query may scan 100 GB, in a workgroup that no caller can go around', () => {
  const { Name, WorkGroupConfiguration } = only('AWS::Athena::WorkGroup');
  expect(Name).toBe('tessera-dev');
  expect(WorkGroupConfiguration).toMatchObject({
    EnforceWorkGroupConfiguration: true,
    BytesScannedCutoffPerQuery: mostScannedBytes,
    ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_S3' } },
  });
});

test('the stream writes compressed lines into the folder that queries read', () => {
  const { DeliveryStreamName, DeliveryStreamEncryptionConfigurationInput, ExtendedS3DestinationConfiguration } = only(
    'AWS::KinesisFirehose::DeliveryStream',
  );
  expect([DeliveryStreamName, DeliveryStreamEncryptionConfigurationInput.KeyType]).toEqual([
    'tessera-dev-facts',
    'AWS_OWNED_CMK',
  ]);
  expect(ExtendedS3DestinationConfiguration).toMatchObject({
    CompressionFormat: 'GZIP',
    Prefix: 'fresh/!{timestamp:yyyy/MM/dd/HH}/',
    BufferingHints: { IntervalInSeconds: 300 },
  });
});

test('the bucket of facts is private, outlives the stack, and keeps results of queries for a day', () => {
  const buckets = Object.values(resourcesIn(template, 'AWS::S3::Bucket')).filter(({ Properties }) =>
    JSON.stringify(Properties.LifecycleConfiguration).includes('answers/'),
  );
  expect(buckets).toMatchObject([
    {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
        LifecycleConfiguration: {
          Rules: [{ AbortIncompleteMultipartUpload: {} }, { ExpirationInDays: 1, Prefix: 'answers/' }],
        },
      },
    },
  ]);
});

describe('exact rights:', () => {
  test('only the function of reports and the worker of exports may ask Athena', () => {
    const report = stack.endpoints.get('make-report');
    expect(rightsOf(report ? idOf(report) : '')).toEqual(asking);
    expect(rightsOf(idOf(stack.jobQueues.workers.exports))).toEqual(expect.arrayContaining(asking));
    const others = [...stack.endpoints].filter(([name]) => name !== 'make-report').map(([, lambda]) => lambda);
    const { exports: _, ...workers } = stack.jobQueues.workers;
    for (const lambda of [...others, ...Object.values(workers), stack.streamWorker.function]) {
      expect(rightsOf(idOf(lambda)).filter((right) => /^(athena|glue|firehose)/.test(right))).toEqual([]);
    }
  });

  test('the totals worker and the log worker may hand over facts, and the packer may move them', () => {
    expect(rightsOf(idOf(stack.totalsWorker.function))).toEqual(['firehose:PutRecordBatch', 's3:PutObject fresh']);
    expect(rightsOf(idOf(stack.logWorker.function))).toEqual(['firehose:PutRecordBatch', 's3:PutObject fresh']);
    const packer = stack.reports?.packer;
    expect(rightsOf(packer ? idOf(packer) : '')).toEqual([
      's3:DeleteObject fresh packed',
      's3:GetObject fresh packed notes',
      's3:ListBucket fresh packed notes',
      's3:PutObject packed notes',
    ]);
  });
});

test('the stream of the table keeps two readers, whose filters Lambda takes', () => {
  const mappings = Object.values(resourcesIn(template, 'AWS::Lambda::EventSourceMapping')).filter(({ Properties }) =>
    JSON.stringify(Properties.EventSourceArn).includes('StreamArn'),
  );
  expect(mappings).toHaveLength(2);
  for (const { Properties } of mappings) expect(Properties.FilterCriteria.Filters.length).toBeLessThanOrEqual(5);
});
