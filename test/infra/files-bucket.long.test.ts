import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { operations } from '../../infra/operations.ts';
import { fileActionsOf } from '../support/iam.ts';
import { fileActionFor } from '../support/permissions.ts';
import { deployed, idOf } from '../support/stack.ts';

let stack: TesseraStack;
let template: Template;

beforeAll(() => {
  ({ stack, template } = deployed());
});

describe('the bucket of files', () => {
  test('is private and encrypted, and deletes rows after a week and exports after 90 days', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: Match.arrayWith([
          Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'rows/', ExpirationInDays: 7, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'parts/', ExpirationInDays: 7, Status: 'Enabled' }),
          Match.objectLike({ Prefix: 'exports/', ExpirationInDays: 90, Status: 'Enabled' }),
        ]),
      },
    });
    expect(Object.keys(template.findResources('AWS::S3::Bucket'))).toHaveLength(1);
  });

  test('refuses calls without TLS', () => {
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 's3:*',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
  });

  test('is known to operations that name it and to the workers of rows and exports, each within its areas', () => {
    const functions = template.findResources('AWS::Lambda::Function');
    const rightsOf = (id: string) => ({
      isKnown: Object.hasOwn(functions[id]?.Properties.Environment.Variables, 'FILES_BUCKET'),
      actions: fileActionsOf(template, id),
    });
    for (const { name, family, route } of operations) {
      const lambda = stack.endpoints.get(name);
      if (!lambda) throw new Error(`${name} is not in the stack`);
      // All operations of management share one function.
      const sharing = operations.filter((one) => (family === 'management' ? one.family === family : one.name === name));
      const actions = [...new Set(sharing.flatMap((one) => one.route.files ?? []))].map(fileActionFor);
      expect(rightsOf(idOf(lambda)), name).toEqual({ isKnown: actions.length > 0, actions });
      expect(actions, name).toEqual(expect.arrayContaining((route.files ?? []).map(fileActionFor)));
    }
    expect(fileActionFor('put rows')).toBe('s3:PutObject /rows/*');
    const { bulk, exports, events, webhooks, ...others } = stack.jobQueues.workers;
    if (!events || !webhooks) throw new Error('the stage has webhooks');
    expect(rightsOf(idOf(events))).toEqual({ isKnown: true, actions: ['s3:PutObject /events/*'] });
    expect(rightsOf(idOf(webhooks))).toEqual({ isKnown: true, actions: ['s3:GetObject /events/*'] });
    expect(rightsOf(idOf(bulk))).toEqual({
      isKnown: true,
      actions: ['s3:GetObject /rows/*', 's3:GetObject /uploads/*', 's3:PutObject /reports/*'],
    });
    expect(rightsOf(idOf(exports))).toEqual({
      isKnown: true,
      actions: [
        's3:PutObject /reports/*',
        's3:PutObject /exports/*',
        's3:GetObject /exports/*',
        's3:DeleteObject /exports/*',
        's3:PutObject /parts/*',
        's3:GetObject /parts/*',
        's3:DeleteObject /parts/*',
        's3:GetObject /events/*',
        's3:DeleteObject /events/*',
        's3:GetObject /rows/*',
        's3:DeleteObject /rows/*',
        's3:DeleteObject /uploads/*',
        's3:DeleteObject /reports/*',
        's3:PutObject /archives/*',
        's3:GetObject /archives/*',
        's3:DeleteObject /archives/*',
        's3:ListBucket ',
      ],
    });
    for (const other of Object.values(others)) expect(rightsOf(idOf(other))).toEqual({ isKnown: false, actions: [] });
  });
});
