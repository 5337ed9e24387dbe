import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { type AwsReply, askByCli } from '../../../infra/aws/ask-aws.ts';
import { isFirstDeployment, listImportWarnings } from '../../../infra/aws/first-deployment.ts';
import { countReserved, oldestBootstrap } from '../../../infra/operator/doctor/account.ts';
import { writeFindings } from '../../../infra/operator/doctor/diagnose.ts';
import { accountWith, names, refuses, says, stack } from '../../support/doctor.ts';

test('a stage reserves the ceilings of its workers and of its open paths, and executions for tills', () => {
  // 10 of the log worker, 2 of the due worker, 2 x 40 of the readers. 5 each of docs, preflights, console, 2 pictures.
  expect(countReserved({ stage: 'prod' })).toBe(10 + 2 + 80 + 5 * 5);
  expect(countReserved({ stage: 'prod', agents: 'read', tillExecutions: 200 })).toBe(10 + 2 + 80 + 6 * 5 + 600);
  expect(countReserved({ stage: 'prod', size: 'small' })).toBe(0);
});

test('the oldest bootstrap is the one that stacks of the CDK require', () => {
  const app = new App();
  new Stack(app, 'one');
  expect(app.synth().getStackByName('one').requiresBootstrapStackVersion).toBe(oldestBootstrap);
});

test('findings are written one below the other, each with its command', () => {
  expect(
    writeFindings([
      { level: 'fine', what: 'one' },
      { level: 'fault', what: 'two', mend: 'aws three' },
    ]),
  ).toBe('fine     one\nfault    two\n         aws three\n');
});

describe('a deployment', () => {
  test.each<[AwsReply, boolean]>([
    [refuses('Stack with id tessera-prod does not exist'), true],
    [stack('REVIEW_IN_PROGRESS'), true],
    [stack('UPDATE_COMPLETE'), false],
    [refuses('AccessDenied'), false],
  ])('is the first one if there is no stack: %j', async (reply, isFirst) => {
    expect(await isFirstDeployment(accountWith({ [names.stack]: reply }), 'prod')).toBe(isFirst);
  });

  test('prints the warnings of its own APIs', async () => {
    const tags = (stage: string) => ({ application: 'tessera', stage });
    const Items = [
      { Name: 'tessera-prod', Tags: tags('prod'), Warnings: ['no scheme'] },
      { Name: 'tessera-prod-2', Tags: tags('prod-2'), Warnings: ['another stage'] },
      { Name: 'other', Warnings: ['another application'] },
    ];
    const ask = accountWith({ 'apigatewayv2 get-apis': says({ Items }) });
    expect(await listImportWarnings(ask, 'prod')).toEqual(['tessera-prod: no scheme']);
  });
});

describe('the AWS CLI', () => {
  test('is asked for JSON, and a refusal keeps its words', async () => {
    const echo = askByCli({ command: 'echo' });
    expect(await echo(['{"a":1}'])).toMatchObject({ ok: false });
    expect(await askByCli({ command: 'true' })(['sts'])).toEqual({ ok: true, value: undefined });
    expect(await askByCli({ command: 'no-such-command' })(['sts'])).toMatchObject({ ok: false, isMissing: true });
  });
});
