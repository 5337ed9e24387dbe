import { beforeAll, describe, expect, test } from 'vitest';
import { maxKeyLength } from '#kernel/http/idempotency.ts';
import { keptForInSeconds } from '#kernel/http/idempotency-record.ts';
import { handler as adjustHandler } from '../../../../functions/loyalties/adjust-pending-points.ts';
import { handler as enableHandler } from '../../../../functions/vouchers/enable-voucher.ts';
import { caller } from '../../../support/call.ts';
import { standingClock, testDependencies, uniqueId } from '../../../support/dependencies.ts';
import { adjusting, isReplay, openProject, outcomeOf, type Project, params } from '../../../support/idempotency.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { bearer, issueToken } from '../../../support/tokens.ts';

const reused = [409, 'idempotency_key_reused'];

describe('a key', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject();
  });

  test('makes a repeat get the first answer and do nothing', async () => {
    const adjust = adjusting(project);
    const key = uniqueId('key-');
    const before = Number(await project.pending());
    const first = await adjust(key);
    expect([outcomeOf(first), isReplay(first)]).toEqual([[200], false]);
    const repeat = await adjust(key);
    expect([repeat.body, repeat.headers['Content-Type'], isReplay(repeat)]).toEqual([
      first.body,
      first.headers['Content-Type'],
      true,
    ]);
    expect(repeat.headers['X-Request-Id']).not.toBe(first.headers['X-Request-Id']);
    expect(await project.pending()).toBe(before + 7);
  });

  test('belongs to one request: another body, path or query with it is refused', async () => {
    const call = caller(adjustHandler);
    const sent = { params, body: { points: 1 }, headers: { ...project.credentials, 'idempotency-key': uniqueId('k') } };
    const before = Number(await project.pending());
    expect(outcomeOf(await call(sent))).toEqual([200]);
    expect(outcomeOf(await call({ ...sent, body: { points: 2 } }))).toEqual(reused);
    expect(outcomeOf(await call({ ...sent, query: 'a=b' }))).toEqual(reused);
    expect(outcomeOf(await call({ ...sent, params: { ...params, memberId: 'OTHER' } }))).toEqual(reused);
    const enable = await caller(enableHandler)({ params: { code: 'CARD' }, headers: sent.headers });
    expect(outcomeOf(enable)).toEqual(reused);
    const bytes = { body: Buffer.from('{"points":1}').toString('base64'), isBase64Encoded: true };
    const json = { ...sent.headers, 'content-type': 'application/json' };
    expect(isReplay(await call({ ...sent, ...bytes, headers: json }))).toBe(true);
    expect(await project.pending()).toBe(before + 1);
  });

  test('belongs to the app key, also if that calls with a token; it is new for another app key or project', async () => {
    const other = await openProject();
    const adjust = adjusting(project);
    const key = uniqueId('key-');
    const token = bearer(await issueToken(project.credentials, 'loyalties'));
    const replies = [
      await adjust(key),
      await adjust(key, 7, token),
      await adjust(key, 7, project.second),
      await adjusting(other)(key),
    ];
    expect(replies.map(isReplay)).toEqual([false, true, false, false]);
    expect(replies.map(outcomeOf)).toEqual([[200], [200], [200], [200]]);
  });

  test('is stored for 24 hours and free after them', async () => {
    const clock = standingClock();
    const adjust = adjusting(project, testDependencies({ clock }));
    const key = uniqueId('key-');
    await adjust(key);
    clock.advance(keptForInSeconds - 1);
    expect(isReplay(await adjust(key))).toBe(true);
    clock.advance(1);
    const after = await adjust(key, 8);
    expect([outcomeOf(after), isReplay(after)]).toEqual([[200], false]);
    expect(isReplay(await adjust(key, 8))).toBe(true);
  });

  test.each(['a', 'x'.repeat(maxKeyLength), 'order 17 / é#~', '#', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])(
    'may be %s',
    async (key) => {
      const adjust = adjusting(await openProject());
      expect([await adjust(key), await adjust(key), await adjust(`${key.slice(1)}-`)].map(isReplay)).toEqual([
        false,
        true,
        false,
      ]);
    },
  );

  test.each(['', 'x'.repeat(maxKeyLength + 1)])('is refused as %j, and nothing is done', async (key) => {
    const before = await project.pending();
    const { status, body } = await adjusting(project)(key);
    expect([status, body.key, body.details]).toEqual([400, 'invalid_idempotency_key', expect.stringContaining('255')]);
    expect(await project.pending()).toBe(before);
  });

  test('costs two calls of the table, and a repeat one; a request without it costs none', async () => {
    const dependencies = testDependencies();
    const adjust = adjusting(project, dependencies);
    const key = uniqueId('key-');
    for (const sent of [undefined, undefined, key, key]) await adjust(sent);
    const [, without = 0, first = 0, repeat] = dependencies.lines.map((line) => JSON.parse(line).dynamodb_calls);
    expect([first - without, repeat]).toEqual([2, 1]);
  });

  test('is in no line of the log, and neither is its stored reply', async () => {
    const dependencies = testDependencies();
    const adjust = adjusting(project, dependencies);
    const key = uniqueId('SECRET-KEY-');
    await adjust(key);
    await adjust(key);
    await adjust(key, 9);
    expect(dependencies.lines.map((line) => JSON.parse(line).status)).toEqual([200, 200, 409]);
    for (const text of [key, 'CARD', 'MANUAL']) expect(dependencies.lines.join()).not.toContain(text);
    expect(JSON.stringify(await itemsOf(project.id, 'IDEMPOTENCY_KEY'))).not.toContain(key);
  });
});
