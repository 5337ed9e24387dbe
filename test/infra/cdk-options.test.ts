import { expect, test } from 'vitest';
import { contextOf } from '../../infra/cdk-options.ts';

test.each([
  [
    ['deploy', '--stage', 'prod'],
    ['deploy', '-c', 'stage=prod'],
  ],
  [
    ['deploy', '--stage=prod', '--no-execute'],
    ['deploy', '-c', 'stage=prod', '--no-execute'],
  ],
  [
    ['deploy', '--alarm-email', 'ops@shop.example', '--stage', 'prod'],
    ['deploy', '-c', 'alarmEmail=ops@shop.example', '-c', 'stage=prod'],
  ],
  [
    ['synth', '-c', 'stage=prod'],
    ['synth', '-c', 'stage=prod'],
  ],
])('%j is told to the CDK as %j', (given, told) => {
  expect(contextOf(given)).toEqual(told);
});

test('an option without its value is refused, before anything is deployed', () => {
  expect(() => contextOf(['deploy', '--stage'])).toThrow('--stage needs a value');
});
