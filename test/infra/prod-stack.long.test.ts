import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { isRateLimited } from '#kernel/http/route.ts';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { deployed, idOf } from '../support/stack.ts';

describe('a protected stage, and no other,', () => {
  const prod = () => deployed('full').template;
  const dev = () => deployed('plain').template;

  test('keeps the table, every log, and a key that it asked for when the stack is deleted', () => {
    const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Logs::LogGroup'];
    for (const type of kept) prod().allResources(type, { DeletionPolicy: 'Retain' });
    for (const type of kept.filter((type) => type !== 'AWS::KMS::Key')) {
      dev().allResources(type, { DeletionPolicy: 'Delete' });
    }
    dev().resourceCountIs('AWS::KMS::Key', 0);
  });

  test('has a key of the account on the table if it asks for one, which rotates each year and works through DynamoDB only', () => {
    const [key] = Object.keys(prod().findResources('AWS::KMS::Key'));
    prod().hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Principal: { AWS: '*' },
            Condition: { StringEquals: Match.objectLike({ 'kms:CallerAccount': { Ref: 'AWS::AccountId' } }) },
          }),
        ]),
      },
    });
    prod().hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [Match.objectLike({ SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [key, 'Arn'] } } })],
    });
  });

  // An account has 1,000 unless AWS raises it, and 100 of them can't be reserved. A new account has as few as 10.
  test('reserves executions for workers and public paths, and for the main checkouts by option', () => {
    const warnings = (of: 'full' | 'standard') => JSON.stringify(deployed(of).stack.node.metadata);
    // Three times 200 and the 122 below are more than half of an account.
    expect(warnings('full')).toContain('reserves 722 executions, so the account needs at least 822');
    expect(warnings('standard')).not.toContain('executions');
    const reserved = (template: Template): number[] =>
      Object.values(template.findResources('AWS::Lambda::Function')).flatMap(
        ({ Properties }) => Properties.ReservedConcurrentExecutions ?? [],
      );
    const { stack, template } = deployed('full');
    const ofTill = [...stack.endpoints].flatMap(([name, one]) => {
      const { ReservedConcurrentExecutions: count } =
        template.findResources('AWS::Lambda::Function')[idOf(one)]?.Properties ?? {};
      return count === 200 ? [name] : [];
    });
    expect(ofTill.sort()).toEqual(['qualify', 'redeem-redeemables', 'validate-redeemables']);
    const others = reserved(prod()).filter((count) => count !== 200);
    expect(others).toHaveLength(10);
    // docs/operations.md names the sum, because the account needs as many.
    const ceiling = others.reduce((sum, one) => sum + one, 0);
    expect(ceiling).toBe(122);
    const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    // AWS keeps 100 executions that cannot be reserved.
    expect(operations).toContain(`at least ${ceiling + 100} concurrent executions`);
    expect(operations).toContain(`in addition to the ${ceiling + 100}.`);
    expect(reserved(dev())).toEqual([]);
  });

  test('gives checkouts twice as much processor as other requests', () => {
    const { stack, template } = deployed('full');
    const functions = template.findResources('AWS::Lambda::Function');
    const memoryOf = (name: string) => {
      const lambda = stack.endpoints.get(name);
      return lambda && functions[idOf(lambda)]?.Properties.MemorySize;
    };
    for (const name of ['redeem-redeemables', 'validate-redeemables', 'qualify', 'rollback-redemption'])
      expect([name, memoryOf(name)]).toEqual([name, 1024]);
    expect(memoryOf('get-campaign')).toBe(512);
  });
});

test('only the functions of client paths know the header of a CDN, and only if the deployment names one', () => {
  const knowing = ({ stack, template }: ReturnType<typeof deployed>) => {
    const whole = template.findResources('AWS::Lambda::Function');
    return [...stack.endpoints]
      .filter(([, one]) => 'CLIENT_ADDRESS_HEADER' in (whole[idOf(one)]?.Properties.Environment.Variables ?? {}))
      .map(([name]) => name);
  };
  const ofPages = deployedOperations.filter(({ route }) => route.authentication === 'client').map(({ name }) => name);
  expect(knowing(deployed('full')).sort()).toEqual(ofPages.sort());
  expect(knowing(deployed('plain'))).toEqual([]);
});

test('functions that know their caller count for projects, if the option is on', () => {
  const stageIn = (kind: 'full' | 'plain', name: string) => {
    const { stack, template } = deployed(kind);
    const lambda = stack.endpoints.get(name);
    const resource = lambda && template.findResources('AWS::Lambda::Function')[idOf(lambda)];
    return resource?.Properties.Environment.Variables.PROJECT_METRICS_STAGE;
  };
  for (const { name, route } of deployedOperations) {
    expect([name, stageIn('full', name)]).toEqual([name, isRateLimited(route) ? 'prod' : undefined]);
    expect([name, stageIn('plain', name)]).toEqual([name, undefined]);
  }
});
