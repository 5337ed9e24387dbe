import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../../infra/aws/options.ts';

describe('options of a deployment', () => {
  test('are all left to themselves: stage dev, guarded by IAM', () => {
    expect(readOptions({})).toEqual({ stage: 'dev', managementGuard: 'iam' });
  });

  test('are taken as the command line and the context give them', () => {
    const given = {
      stage: 'prod',
      'alarm-email': 'ops@shop.example',
      'mail-sender': 'hello@shop.example',
      'management-guard': 'keys',
      'rate-limit': '90',
      'client-address-header': 'CloudFront-Viewer-Address',
    };
    expect(readOptions(given)).toEqual({
      stage: 'prod',
      alarmEmail: 'ops@shop.example',
      mailSender: 'hello@shop.example',
      managementGuard: 'keys',
      rateLimitPerMinute: 90,
      clientAddressHeader: 'cloudfront-viewer-address',
    });
  });

  test.each(['dev', 'prod', 'a', 'pr-1234', 'a234567890123456'])('stage %s is taken', (stage) => {
    expect(readOptions({ stage })).toMatchObject({ stage });
  });

  test.each([
    ...['', 'Prod', '1dev', '-a', 'a_b', 'a2345678901234567', 'dev\n', 7].map((value) => ['stage', value] as const),
    // There is none that leaves the management paths open.
    ...['open', 'none', '', true].map((value) => ['management-guard', value] as const),
    ...['', '0', -5, 'many', 0.5].map((value) => ['rate-limit', value] as const),
    ...['', 'no header', 'X-Forwarded-For', 'forwarded', 7].map((value) => ['client-address-header', value] as const),
    ...['hello', 'Shop <hello@shop.example>', '', 7].map((value) => ['mail-sender', value] as const),
    ...['ops', ''].map((value) => ['alarm-email', value] as const),
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

  test('an option without its value is refused', () => {
    const { status, stderr } = cdk('synth', '--stage');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--stage')]);
  });
});
