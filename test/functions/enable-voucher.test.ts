import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/vouchers/enable-voucher.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

const clock = standingClock();
const dependencies = testDependencies({ clock });
const call = caller(handler, dependencies);
const get = caller(getHandler, dependencies);

const discount = { type: 'PERCENT', percent_off: 10 };
const off = ['OFF', 'OFF-BY-ID', 'OFF-AT-ONCE', 'OFF-BODY', 'OFF-REFUSED'];

const project = await loadProject({
  campaigns: [couponCampaign('camp_1', 'One', discount)],
  vouchers: [
    ...off.map((code) => ({ code, type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_1', active: false })),
    { code: 'ON', type: 'DISCOUNT_VOUCHER', active: true, updated_at: '2026-01-01T00:00:00Z' },
    { code: 'NEITHER', type: 'DISCOUNT_VOUCHER' },
  ],
});

const enable = (code: string, request = {}) => call({ params: { code }, headers: project.credentials, ...request });
const read = async (code: string) => (await get({ params: { code }, headers: project.credentials })).body;

describe('enabling', () => {
  test('switches a voucher on, says so, and has no effect a second time', async () => {
    clock.set('2026-06-15T13:00:00.000Z');
    const first = await enable('OFF');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ code: 'OFF', active: true, discount, updated_at: '2026-06-15T13:00:00.000Z' });
    clock.set('2026-06-15T14:00:00.000Z');
    const second = await enable('OFF');
    expect(second.body).toEqual(first.body);
    expect(await read('OFF')).toEqual(first.body);
  });

  test('takes the id as well as the code', async () => {
    const { id } = await read('OFF-BY-ID');
    expect((await enable(id)).body).toMatchObject({ code: 'OFF-BY-ID', active: true });
    expect(await read('OFF-BY-ID')).toMatchObject({ active: true });
  });

  test('leaves an enabled voucher unchanged, and enables one without the field', async () => {
    expect((await enable('ON')).body).toMatchObject({ active: true, updated_at: '2026-01-01T00:00:00.000Z' });
    expect((await enable('NEITHER')).body).toMatchObject({ active: true });
  });

  test('by twenty callers at once changes the voucher once', async () => {
    const times = Array.from({ length: 20 }, (_, second) => new Date(Date.UTC(2026, 5, 16, 0, 0, second)));
    const replies = await Promise.all(
      times.map((time) =>
        caller(
          handler,
          testDependencies({ clock: () => time }),
        )({ params: { code: 'OFF-AT-ONCE' }, headers: project.credentials }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.updated_at)).size).toBe(1);
  });

  test('answers 404 for a missing voucher, and creates none', async () => {
    for (const code of ['NOPE', 'v_0123456789012345678901']) {
      expect((await enable(code)).status).toBe(404);
      expect((await get({ params: { code }, headers: project.credentials })).status).toBe(404);
    }
  });

  test('costs at most three DynamoDB calls when warm', async () => {
    await enable('OFF');
    for (const code of ['OFF', (await read('OFF')).id, 'NOPE']) {
      await enable(code);
      expect(JSON.parse(dependencies.lines.at(-1) ?? '').dynamodb_calls).toBeLessThanOrEqual(3);
    }
  });
});

describe('the body of an enable', () => {
  const json = { 'content-type': 'application/json' };

  test.each([
    ['nothing', {}],
    ['nothing, announced as JSON', { headers: json }],
    ['an empty object', { body: {} }],
    ['fields that mean nothing here', { body: { active: false } }],
    ['null', { body: 'null', headers: json }],
  ])('may be %s', async (_, request: { headers?: Record<string, string>; body?: unknown }) => {
    const { status } = await enable('OFF-BODY', {
      ...request,
      headers: { ...project.credentials, ...request.headers },
    });
    expect(status).toBe(200);
  });

  test.each([
    ['malformed JSON', '{"a":', json, 400, 'invalid_payload'],
    ['a prototype key', '{"__proto__": {}}', json, 400, 'invalid_payload'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['text without a type', '{}', {}, 415, 'unsupported_media_type'],
    ['more than 4 MiB', `"${'x'.repeat(4 * 1024 * 1024)}"`, json, 413, 'payload_too_large'],
  ])('is refused when it is %s, and nothing changes', async (_, body, headers, status, key) => {
    const reply = await enable('OFF-REFUSED', { body, headers: { ...project.credentials, ...headers } });
    expect(reply.status).toBe(status);
    expect(reply.body.key).toBe(key);
    expect(await read('OFF-REFUSED')).toMatchObject({ active: false });
  });
});
