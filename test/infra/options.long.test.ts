import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../../infra/aws/options.ts';
import { chooseSettings } from '../../infra/aws/settings.ts';

const stages = { dev: { size: 'small', protection: false }, prod: {}, 'pr-*': { protection: 'off' }, 'pr-9*': {} };

describe('options of a deployment', () => {
  test('are read from the committed file of stages', () => {
    expect(readOptions({})).toEqual({ stage: 'dev', size: 'small', protection: false, managementGuard: 'iam' });
    expect(readOptions({ stage: 'prod' })).toMatchObject({ size: 'full', protection: true });
  });

  test('may be given on the command line and in the context', () => {
    const given = {
      stage: 'prod',
      size: 'small',
      protection: 'off',
      'alarm-email': 'ops@shop.example',
      'mail-sender': 'hello@shop.example',
      'management-guard': 'keys',
      'rate-limit': '90',
      'till-executions': '200',
      'project-metrics': 'on',
      agents: 'act',
      reports: 'on',
      console: 'off',
      'event-targets': 'sqs:orders, eventbridge:shop sqs:orders',
      'client-address-header': 'CloudFront-Viewer-Address',
    };
    expect(readOptions(given)).toEqual({
      stage: 'prod',
      size: 'small',
      protection: false,
      alarmEmail: 'ops@shop.example',
      mailSender: 'hello@shop.example',
      managementGuard: 'keys',
      rateLimitPerMinute: 90,
      tillExecutions: 200,
      projectMetrics: true,
      agents: 'act',
      reports: true,
      console: false,
      eventTargets: ['sqs:orders', 'eventbridge:shop'],
      clientAddressHeader: 'cloudfront-viewer-address',
    });
  });

  test('change the throttles and ceilings of a size, and the address for tickets', () => {
    const given = { stage: 'prod', rate: '5000', burst: 2_500, 'ticket-email': 'tickets@shop.example' };
    const options = readOptions(given);
    expect(options).toMatchObject({ rate: 5_000, burst: 2_500, ticketEmail: 'tickets@shop.example' });
    expect(chooseSettings(options).throttling).toEqual({ ratePerSecond: 5_000, burst: 2_500 });
    expect(
      chooseSettings(readOptions({ stage: 'prod', 'write-quota': '120500' })).reservedConcurrency?.streamReader,
    ).toBe(121);
    expect(chooseSettings({ size: 'small', writeQuota: 120_500 }).reservedConcurrency).toBeUndefined();
    expect(chooseSettings({ rate: 5_000 }).throttling).toEqual({ ratePerSecond: 5_000, burst: 1_000 });
  });

  test('are read from the command line first, then from the file, then from the defaults', () => {
    const prod = { 'alarm-email': 'ops@shop.example', 'rate-limit': 90, size: 'small' };
    expect(readOptions({ stage: 'prod', size: 'full', 'mail-sender': undefined }, { prod })).toEqual({
      stage: 'prod',
      size: 'full',
      protection: true,
      managementGuard: 'iam',
      alarmEmail: 'ops@shop.example',
      rateLimitPerMinute: 90,
    });
  });

  test.each(['production', 'live', 'Prod', 'pr', 'constructor'])(
    'stage %s is refused because it is not declared',
    (stage) => {
      expect(() => readOptions({ stage }, stages)).toThrow(
        stage === 'Prod' ? 'lower-case' : `stage ${stage} is not declared`,
      );
    },
  );

  test.each([
    ['production', 'prod'],
    ['prd', 'prod'],
    ['rpod', 'prod'],
    ['deb', 'dev'],
    ['live', undefined],
    ['qa', undefined],
  ])('stage %s is refused with the declared stage that was probably meant: %s', (stage, meant) => {
    expect(() => readOptions({ stage }, stages)).toThrow(
      meant === undefined ? /declared\. The/ : `Did you mean ${meant}?`,
    );
  });

  test.each(['production', 'live', 'prd'])('stage %s is protected once it is declared', (stage) => {
    expect(readOptions({ stage }, { [stage]: {} })).toMatchObject({ stage, size: 'full', protection: true });
  });

  test('a name with a * declares each stage with that beginning, and the longest beginning wins', () => {
    expect(readOptions({ stage: 'pr-1234' }, stages)).toMatchObject({ stage: 'pr-1234', protection: false });
    expect(readOptions({ stage: 'pr-91' }, stages)).toMatchObject({ stage: 'pr-91', protection: true });
  });

  test('a distribution has a domain with its certificate, and rules, and each needs the others', () => {
    const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/one';
    const domain = 'api.shop.example';
    expect(readOptions({ distribution: 'on' }).distribution).toEqual({});
    expect(readOptions({ distribution: 'on', domain, certificate }).distribution).toEqual({ domain, certificate });
    expect(readOptions({ distribution: 'off' })).not.toHaveProperty('distribution');
    expect(() => readOptions({ distribution: 'on', domain })).toThrow('need each other');
    expect(() => readOptions({ domain, certificate })).toThrow('need the option distribution');
    for (const [name, value] of [
      ['domain', 'https://api.shop.example'],
      ['certificate', certificate.replace('us-east-1', 'eu-central-1')],
      ['web-acl', 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/shop/one'],
    ] as const) {
      expect(() => readOptions({ distribution: 'on', [name]: value })).toThrow(name);
    }
  });

  test('a fault in the file of stages is named with its stage and its place', () => {
    const wrong = { prod: { 'rate-limit': 'many' }, dev: { protecton: true } };
    expect(() => readOptions({ stage: 'prod' }, wrong)).toThrow('rate-limit');
    expect(() => readOptions({ stage: 'dev' }, wrong)).toThrow('protecton is not an option: write protection');
    expect(() => readOptions({ stages: 'no-such-file.json' })).toThrow('no-such-file.json');
    expect(() => readOptions({ stages: 'package.json' })).toThrow('package.json');
  });

  test.each(['dev', 'prod', 'a', 'pr-1234', 'a234567890123456'])('stage %s is accepted', (stage) => {
    expect(readOptions({ stage }, { [stage]: {} })).toMatchObject({ stage });
  });

  test.each([
    ...['', 'Prod', '1dev', '-a', 'a_b', 'a2345678901234567', 'dev\n', 7].map((value) => ['stage', value] as const),
    // No guard leaves the management paths open.
    ...['open', 'none', '', true].map((value) => ['management-guard', value] as const),
    ...['', '0', -5, 'many', 0.5].map((value) => ['rate-limit', value] as const),
    ...['', 'no header', 'X-Forwarded-For', 'forwarded', 7].map((value) => ['client-address-header', value] as const),
    ...['hello', 'Shop <hello@shop.example>', '', 7].map((value) => ['mail-sender', value] as const),
    ...['alarm-email', 'ticket-email'].flatMap((name) => ['ops', ''].map((value) => [name, value] as const)),
    ...['rate', 'burst', 'write-quota'].flatMap((name) =>
      ['', '0', -5, '1.5', '1000001', true].map((value) => [name, value] as const),
    ),
    ...['', 'large', true].map((value) => ['size', value] as const),
    ...['', 'yes', 'true', 1].map((value) => ['protection', value] as const),
  ])('%s %j is refused by its name', (name, value) => {
    expect(() => readOptions({ [name]: value })).toThrow(name);
  });
});

describe('npm run synth and deploy', () => {
  const cdk = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../infra/aws/cdk.ts'), ...args], { encoding: 'utf8' });

  test.each(['synth', 'deploy'])('%s --help names every option', (verb) => {
    const { status, stdout } = cdk(verb, '--help');
    expect(status).toBe(0);
    for (const name of [
      'stage',
      'stages',
      'size',
      'protection',
      'alarm-email',
      'mail-sender',
      'management-guard',
      'rate-limit',
      'client-address-header',
      'output',
    ])
      expect(stdout).toContain(`--${name} `);
  });

  test('a mistake in an option is refused before anything is bundled', () => {
    const { status, stderr } = cdk('deploy', '--stage', 'Prod');
    expect([status, stderr]).toEqual([1, expect.stringContaining('stage must be 1 to 16 lower-case letters')]);
  });

  test('an undeclared stage is refused before anything is bundled', () => {
    const { status, stderr } = cdk('synth', '--stage', 'production');
    expect([status, stderr]).toEqual([1, expect.stringContaining('stage production is not declared')]);
  });

  test('an option without its value is refused', () => {
    const { status, stderr } = cdk('synth', '--stage');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--stage')]);
  });
});
