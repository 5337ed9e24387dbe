import { Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Construct } from 'constructs';
import { type GlueColumn, type GlueTable, listGlueTables } from '#addons/reports/athena/glue-tables.ts';
import { factAreas } from '#addons/reports/facts/fact-places.ts';
import type { ReportPlace } from './report-rights.ts';

/** A query that would scan more ends, and is charged for what it has scanned: half a dollar. */
export const mostScannedBytes = 100_000_000_000;

const formats = {
  parquet: {
    inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
    outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
    serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
  },
  json: {
    inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
    outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
    // The documentation of Athena warns of wrong rows with the other SerDe of JSON, which can skip malformed lines.
    serdeInfo: { serializationLibrary: 'org.apache.hive.hcatalog.data.JsonSerDe' },
  },
} as const satisfies Readonly<Record<GlueTable['format'], object>>;

const toGlue = (columns: readonly GlueColumn[]) => columns.map(({ name, type, comment }) => ({ name, type, comment }));

/** Describes the tables of facts to Athena, and limits what its queries may scan. */
export function createFactCatalogue(scope: Construct, { bucket, database, workgroup }: ReportPlace): void {
  const catalogId = Stack.of(scope).account;
  const glue = new CfnDatabase(scope, 'database', {
    catalogId,
    databaseInput: { name: database, description: 'Facts of Tessera (docs/reports.md)' },
  });
  for (const { name, format, columns, partitions, folder, projection } of listGlueTables()) {
    const location = `s3://${bucket.bucketName}/${folder}`;
    const keys = partitions.map((one) => `${one.name}=\${${one.name}}/`).join('');
    const template = partitions.length === 0 ? {} : { 'storage.location.template': `${location}${keys}` };
    new CfnTable(scope, name, {
      catalogId,
      databaseName: database,
      tableInput: {
        name,
        tableType: 'EXTERNAL_TABLE',
        parameters: { EXTERNAL: 'TRUE', classification: format, ...projection, ...template },
        partitionKeys: toGlue(partitions),
        storageDescriptor: { ...formats[format], columns: toGlue(columns), location },
      },
    }).addResourceDependency(glue);
  }
  new CfnWorkGroup(scope, 'workgroup', {
    name: workgroup,
    description: 'Reports of Tessera',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      // Without this, a caller could choose another place of results, or another limit.
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      bytesScannedCutoffPerQuery: mostScannedBytes,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: `s3://${bucket.bucketName}/${factAreas.answers}/`,
        encryptionConfiguration: { encryptionOption: 'SSE_S3' },
      },
    },
  });
}
