import { expect, test } from 'vitest';
import { readOptions } from '../../infra/aws/options.ts';

test.each([
  ['reports', ['reports']],
  ['reports,webhooks', ['reports', 'webhooks']],
  [' webhooks  reports, reports ', ['reports', 'webhooks']],
  [
    ['files', 'reports'],
    ['files', 'reports'],
  ],
])('without %j leaves out %j', (without, expected) => {
  const { leaveOut = [] } = readOptions({ without });
  expect(leaveOut.toSorted()).toEqual(expected);
});

test('a stage has all add-ons unless its entry or the command line leaves some out', () => {
  expect(readOptions({})).not.toHaveProperty('leaveOut');
  expect(readOptions({}, { dev: { without: ['reports'] } })).toMatchObject({ leaveOut: ['reports'] });
  expect(readOptions({ without: 'none' }, { dev: { without: ['reports'] } })).not.toHaveProperty('leaveOut');
});

test.each([
  [
    'webhook',
    'names webhook, which is not an add-on: write webhooks (a stage may leave out webhooks, files or reports)',
  ],
  ['console', 'names console, which is not an add-on: a stage may leave out webhooks, files or reports'],
  ['admin', "can't leave out admin, because"],
  ['upkeep', "can't leave out upkeep, because"],
  ['agents', 'they are off without the option agents'],
])('without %s is refused, and the message says what to write', (without, words) => {
  expect(() => readOptions({ without })).toThrow(words);
  expect(() => readOptions({}, { dev: { without: [without, 'reports'] } })).toThrow(words);
});

test('the refusal names each fault of a list', () => {
  expect(() => readOptions({ without: 'webhook,report' })).toThrow(/write webhooks[\s\S]*write reports/);
  expect(() => readOptions({ without: 7 })).toThrow('without must be a string or an array');
});

test.each([
  ['reports', { reports: 'on' }],
  ['webhooks', { 'event-targets': 'sqs:orders' }],
])('a stage without %s refuses the options that need it', (without, options) => {
  const [option] = Object.keys(options);
  expect(() => readOptions({ without, ...options })).toThrow(`${option} needs the add-on ${without}`);
  expect(readOptions({ without, reports: 'off' })).toMatchObject({ leaveOut: [without] });
});
