import { describe, test } from 'vitest';
import { tableShape } from '#kernel/table/keys.ts';
import { deployed } from '../support/stack.ts';

describe('table', () => {
  test('has the shape of lib/kernel/table/keys.ts', () => {
    deployed('plain').template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: tableShape.partitionKey, KeyType: 'HASH' },
        { AttributeName: tableShape.sortKey, KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamViewType: tableShape.streamView },
      TimeToLiveSpecification: { AttributeName: tableShape.timeToLive, Enabled: true },
    });
  });

  test.each([
    ['prod', true, 'Retain', 'full'],
    ['dev', false, 'Delete', 'plain'],
  ] as const)(
    'in %s has protection and recovery %s, with the policy %s for a deleted stack',
    (_, keep, policy, kind) => {
      deployed(kind).template.hasResource('AWS::DynamoDB::GlobalTable', {
        DeletionPolicy: policy,
        UpdateReplacePolicy: policy,
        Properties: {
          Replicas: [
            {
              DeletionProtectionEnabled: keep,
              PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            },
          ],
        },
      });
    },
  );
});
