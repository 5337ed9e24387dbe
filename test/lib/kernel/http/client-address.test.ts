import { describe, expect, test } from 'vitest';
import { readClientAddress } from '#kernel/http/client-address.ts';
import { compose } from '#kernel/http/composition.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as listTiers } from '../../../../functions/client/list-client-promotion-tiers.ts';
import { apiEvent } from '../../../support/api-event.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { pageProject } from '../../../support/page-project.ts';
import { onPage } from '../../../support/pages.ts';

const event = (sourceIp: string, headers: Record<string, string> = {}) =>
  apiEvent(listTiers.route, { sourceIp, headers });
const viewer = 'cloudfront-viewer-address';

describe('the address of a caller', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
  ])('in the connection %s is %s', (sourceIp, address) => {
    expect(readClientAddress(event(sourceIp), undefined)).toBe(address);
  });

  test.each([
    [viewer, '203.0.113.5:46532', '203.0.113.5'],
    [viewer, '2001:db8:1:2:3:4:5:6:46532', '2001:db8:1:2::/64'],
    [viewer, '2001:db8:1:2::5:465', '2001:db8:1:2::/64'],
    [viewer, '[2001:db8:1:2::5]:46532', '2001:db8:1:2::/64'],
    ['cf-connecting-ip', '203.0.113.5', '203.0.113.5'],
    ['cf-connecting-ip', ' 203.0.113.5:80 ', '203.0.113.5'],
    ['cf-connecting-ip', '2001:db8:1:2::5', '2001:db8:1:2::/64'],
  ])('in the trusted header %s: %s is %s', (header, value, address) => {
    expect(readClientAddress(event('198.51.100.7', { [header]: value }), header)).toBe(address);
  });

  test.each(['', 'nobody', '203.0.113.5', '203.0.113.5:80, 203.0.113.6:80', '999.0.0.1:80', ':80'])(
    "is the connection's address if the trusted header is %j",
    (value) => {
      expect(readClientAddress(event('198.51.100.7', { [viewer]: value }), viewer)).toBe('198.51.100.7');
    },
  );

  test("is the connection's address if no header is trusted, whatever the caller sends", () => {
    const sent = { [viewer]: '203.0.113.5:80', 'x-forwarded-for': '203.0.113.5', 'cf-connecting-ip': '203.0.113.5' };
    expect(readClientAddress(event('198.51.100.7', sent), undefined)).toBe('198.51.100.7');
  });
});

describe('a container', () => {
  const environment = { TABLE_NAME: 'tessera-test' };

  test.each([
    [{}, undefined],
    [{ CLIENT_ADDRESS_HEADER: 'CloudFront-Viewer-Address' }, viewer],
  ])('with %j trusts %s', (more, header) => {
    expect(compose({ ...environment, ...more }).addressHeader).toBe(header);
  });

  test.each(['X-Forwarded-For', 'forwarded', 'two words', ''])('does not start with the header %j', (name) => {
    expect(() => compose({ ...environment, CLIENT_ADDRESS_HEADER: name })).toThrow('CLIENT_ADDRESS_HEADER');
  });

  test.each([
    ['all together if no header is trusted', undefined, 5],
    ['each alone if the header is trusted', viewer, 20],
  ])('counts callers behind one CDN %s', async (_, addressHeader, answered) => {
    const file = await pageProject();
    const dependencies = { ...testDependencies({ rateLimiter: new RateLimiter() }), addressHeader };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const headers = { ...onPage(file), [viewer]: `203.0.113.${index}:443` };
        return (await caller(listTiers, dependencies)({ headers })).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(answered);
  });

  test('counts one IPv6 network as one caller', async () => {
    const file = await pageProject();
    const dependencies = testDependencies({ rateLimiter: new RateLimiter() });
    const statuses = [];
    for (let index = 0; index < 10; index++) {
      const sourceIp = `2001:db8:7:8::${index + 1}`;
      statuses.push((await caller(listTiers, dependencies)({ headers: onPage(file), sourceIp })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  });
});
