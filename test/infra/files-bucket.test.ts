import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { operations } from '../../infra/operations.ts';
import { deployed, idOf } from '../support/stack.ts';

let stack: TesseraStack;
let template: Template;

beforeAll(() => {
  ({ stack, template } = deployed());
});

describe('the bucket of files', () => {
  test('is private, encrypted, and empties itself: of rows after a week, of exports after 90 days', () => {
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

  test('refuses whoever comes without TLS', () => {
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

  test('is known to functions whose operation has the word, and to the workers of rows and exports, which may do no more than that', () => {
    const functions = template.findResources('AWS::Lambda::Function');
    const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties);
    const rightsOf = (id: string) => {
      const { Role, Environment } = functions[id]?.Properties ?? {};
      const own = policies.filter(({ Roles }) =>
        Roles.some(({ Ref }: { Ref: string }) => Ref === Role['Fn::GetAtt'][0]),
      );
      const actions = own.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
      );
      const isKnown = Object.hasOwn(Environment.Variables, 'FILES_BUCKET');
      return { isKnown, actions: actions.filter((action) => action.startsWith('s3:')) };
    };
    const actions = { put: 's3:PutObject', read: 's3:GetObject', remove: 's3:DeleteObject' };
    for (const { name, route } of operations) {
      const lambda = stack.endpoints.get(name);
      if (!lambda) throw new Error(`${name} is not in the stack`);
      const isKnown = route.files !== undefined;
      expect(rightsOf(idOf(lambda)), name).toEqual({ isKnown, actions: route.files ? [actions[route.files]] : [] });
    }
    const { bulk, exports, ...others } = stack.jobQueues.workers;
    expect(rightsOf(idOf(bulk))).toEqual({ isKnown: true, actions: [actions.read] });
    expect(rightsOf(idOf(exports))).toEqual({ isKnown: true, actions: Object.values(actions) });
    for (const other of Object.values(others)) expect(rightsOf(idOf(other))).toEqual({ isKnown: false, actions: [] });
  });
});
