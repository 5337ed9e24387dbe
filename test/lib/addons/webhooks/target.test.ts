import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { isHidden, post, publicLookup, type TargetOptions } from '#addons/webhooks/target.ts';
import { openReceiver } from '../../../support/hearing.ts';

const sent = (url: string) => ({ url, body: '{"a":1}', headers: { 'webhook-id': 'whs_1' } });
const local: TargetOptions = { allowsLocal: true };

/** Resolves every name to these addresses, each time to the next addresses. */
function resolving(...answers: readonly (readonly string[])[]): NonNullable<TargetOptions['resolve']> {
  let calls = 0;
  const resolve = (_: string, __: unknown, callback: (error: null, found: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(calls++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return resolve as unknown as NonNullable<TargetOptions['resolve']>;
}

describe('an address', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...[
      '0.0.0.0',
      '192.0.0.192',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00:ec2::254',
    ],
    ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::', '2001:db8::1', 'x'],
  ])('%s is hidden', (address) => {
    expect(isHidden(address)).toBe(true);
  });

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isHidden(address)).toBe(false);
    },
  );
});

describe('a request', () => {
  test.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://0x7f000001/x',
    'https://169.254.169.254/latest/meta-data',
  ])('to %s is refused before it connects', async (url) => {
    const answer = await post(sent(url));
    expect(answer).toEqual({ status: null, text: expect.stringContaining('is not public') });
  });

  test('without TLS is refused', async () => {
    const { url, heard } = await openReceiver();
    expect((await post(sent(url))).text).toBe('the target must have an https address');
    expect(heard).toEqual([]);
  });

  test.each(['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', 'fd00:ec2::254'])(
    'to a name that leads to %s is refused before it connects',
    async (address) => {
      const answer = await post(sent('https://crm.example/x'), { resolve: resolving([address]) });
      expect(answer).toEqual({ status: null, text: `the target has the address ${address}, which is not public` });
    },
  );

  test('to a name is refused if one of its addresses is hidden', async () => {
    const answer = await post(sent('https://crm.example/x'), { resolve: resolving(['93.184.216.34', '10.0.0.1']) });
    expect(answer).toEqual({ status: null, text: 'the target has the address 10.0.0.1, which is not public' });
  });

  test('connects to the address that was checked, and asks for no second one', () => {
    const resolve = resolving(['93.184.216.34'], ['127.0.0.1']);
    const found: unknown[] = [];
    publicLookup(resolve)('crm.example', { all: true }, (error, addresses) => found.push(error, addresses));
    expect(found).toEqual([null, [{ address: '93.184.216.34', family: 4 }]]);
    publicLookup(resolve)('crm.example', {}, (error) => found.push(error));
    expect(found.at(-1)).toEqual(new Error('the target has the address 127.0.0.1, which is not public'));
  });

  test('posts the body with its headers, and shows the first characters of the answer', async () => {
    const { url, heard, answer } = await openReceiver();
    answer((response) => void response.end(`\u0000${'é'.repeat(500)}`));
    expect(await post(sent(url), local)).toMatchObject({ status: 200, text: ` ${'é'.repeat(199)}` });
    expect(heard[0]).toMatchObject({
      text: '{"a":1}',
      headers: { 'webhook-id': 'whs_1', 'content-type': 'application/json; charset=utf-8' },
    });
  });

  test('reads at most 4 KB of an answer without an end', async () => {
    const { url, answer } = await openReceiver();
    answer((response) => {
      const more = () => {
        while (response.write('x'.repeat(1_000))) if (response.destroyed) return;
        response.once('drain', more);
      };
      more();
    });
    expect(await post(sent(url), local)).toMatchObject({ status: 200, text: 'x'.repeat(200) });
  });

  test('ends if no answer comes in time, or if the answer stops halfway', async () => {
    const { url, answer } = await openReceiver();
    answer(() => {});
    expect(await post(sent(url), { ...local, timeoutInMs: 50 })).toMatchObject({ status: null });
    answer((response) => void response.writeHead(200).write('half'));
    expect(await post(sent(url), { ...local, timeoutInMs: 50 })).toMatchObject({ status: null });
  });

  test('ends if the receiver closes the connection, speaks no TLS, or does not exist', async () => {
    const { url, answer } = await openReceiver();
    answer((response) => void response.destroy());
    for (const target of [url, url.replace('http:', 'https:'), 'http://127.0.0.1:1/']) {
      const { status, text } = await post(sent(target), local);
      expect(status).toBeNull();
      expect(text.length).toBeGreaterThan(0);
    }
  });
});
