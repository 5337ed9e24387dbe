import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { fileLifeInDays } from '#kernel/core/files/files.ts';
import { closedBucket } from './closed-bucket.ts';
import { excuse } from './nag.ts';

/** Creates the bucket for imports, exports and reports. Only a presigned address shows a file. */
export function createFilesBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'files', {
    ...closedBucket,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ...Object.entries(fileLifeInDays).map(([area, days]) => ({
        prefix: `${area}/`,
        expiration: Duration.days(days),
      })),
    ],
    // CloudFormation deletes no bucket with files in it, and these files can be made again.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  excuse(
    bucket,
    'AwsSolutions-S1',
    "Server access logs would outlive the files. The API's access log shows the caller of an export.",
  );
  return bucket;
}
