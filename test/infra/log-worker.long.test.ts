import * as v from 'valibot';
import { expect, test } from 'vitest';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { deployed, idOf, resourcesOf } from '../support/stack.ts';

const subscription = v.object({
  Properties: v.object({
    FilterPattern: v.string(),
    LogGroupName: v.unknown(),
    DestinationArn: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
  }),
});

test('the worker gets the counting lines of each validating function, and nothing else', () => {
  const { stack, template } = deployed();
  const all = [...resourcesOf(template, 'AWS::Logs::SubscriptionFilter', subscription).values()];
  expect(all).toHaveLength(deployedOperations.filter(({ route }) => route.validates).length);
  expect(new Set(all.map(({ Properties }) => JSON.stringify(Properties.LogGroupName))).size).toBe(all.length);
  for (const { Properties } of all) {
    expect(Properties.FilterPattern).toBe('{ $.validated_on = * }');
    expect(Properties.DestinationArn['Fn::GetAtt'][0]).toBe(idOf(stack.logWorker.function));
  }
});

test('only logs of the account may call the worker', () => {
  const { stack, template } = deployed();
  template.hasResourceProperties('AWS::Lambda::Permission', {
    Principal: 'logs.amazonaws.com',
    FunctionName: { Ref: idOf(stack.logWorker.function) },
    SourceAccount: { Ref: 'AWS::AccountId' },
  });
});
