import { describe, expect, test } from 'vitest';
import { toProject } from '#kernel/access/projects/project.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { answerOnce } from '#kernel/http/idempotency.ts';
import { maxOutcomeBytes } from '#kernel/http/idempotency-record.ts';
import { openScope } from '#kernel/http/request-scope.ts';
import { handler as enableHandler } from '../../../../functions/vouchers/enable-voucher.ts';
import { apiEvent } from '../../../support/api-event.ts';
import { lambdaContext } from '../../../support/call.ts';
import { clientWith, isTransaction } from '../../../support/client.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';
import { adjusting, isReplay, openProject, outcomeOf } from '../../../support/idempotency.ts';
import { bearer, issueToken } from '../../../support/tokens.ts';

describe('a refusal', () => {
  test('by the use case is stored, and a repeat gets it with its own request id', async () => {
    const project = await openProject();
    const adjust = adjusting(project);
    const key = uniqueId('key-');
    const first = await adjust(key, -100);
    expect(outcomeOf(first)).toEqual([400, 'invalid_amount']);
    await adjust(undefined, 50);
    const repeat = await adjust(key, -100);
    expect(isReplay(repeat)).toBe(true);
    expect(repeat.body).toEqual({ ...first.body, request_id: repeat.headers['X-Request-Id'] });
    expect(await project.pending()).toBe(150);
  });

  test('of the input, the credentials or the scope is not stored: the corrected request can use the same key', async () => {
    const project = await openProject();
    const adjust = adjusting(project);
    const key = uniqueId('key-');
    expect(outcomeOf(await adjust(key, 0))).toEqual([400, 'invalid_payload']);
    expect(outcomeOf(await adjust(key, 7, {}))).toEqual([401, 'unauthorized']);
    const token = bearer(await issueToken(project.credentials, 'vouchers'));
    expect(outcomeOf(await adjust(key, 7, token))).toEqual([403, 'insufficient_scope']);
    expect(isReplay(await adjust(key))).toBe(false);
    expect(isReplay(await adjust(key))).toBe(true);
  });
});

/** Runs `answerOnce` with a use case that does what the test says. */
async function wrapped() {
  const secret = Buffer.alloc(32).toString('base64url');
  const project = toProject({
    id: uniqueId('proj_'),
    name: 'Test',
    features: {},
    secret,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const caller = { project, appId: 'app', appName: 'Shop' };
  const key = uniqueId('key-');
  let ran = 0;
  const ask = async (answer: () => Promise<{ statusCode: number; body?: string }>, time = testTime) => {
    const event = apiEvent(enableHandler.route, { params: { code: 'A' }, headers: { 'idempotency-key': key } });
    const scope = Object.assign(openScope(event, lambdaContext(), testDependencies({ clock: () => time })), { caller });
    const counted = () => {
      ran += 1;
      return answer();
    };
    const asked = answerOnce(enableHandler.route, event, scope as never, counted);
    const given = await asked.catch((error: unknown) => (error instanceof ServiceError ? error.key : String(error)));
    return { given, replayed: scope.replyHeaders['Idempotent-Replayed'] === 'true', cause: scope.cause, scope };
  };
  return { ask, ran: () => ran };
}

describe('a stored reply is not made', () => {
  const ok = async () => ({ statusCode: 200, body: '{}' });

  test('of a failure of ours: the key is free again at once', async () => {
    const { ask, ran } = await wrapped();
    const failed = await ask(() => Promise.reject(new Error('broken')));
    expect(failed.given).toBe('Error: broken');
    const again = await ask(ok);
    expect([again.replayed, ran()]).toEqual([false, 2]);
    expect((await ask(ok)).replayed).toBe(true);
  });

  test('of a request to try again later', async () => {
    const { ask } = await wrapped();
    const busy = new ServiceError('too_many_requests', { details: 'busy' });
    expect((await ask(() => Promise.reject(busy))).given).toBe('too_many_requests');
    expect((await ask(ok)).replayed).toBe(false);
  });

  test('of a reply too large for an item: the caller gets it, and a repeat is told that it was done', async () => {
    const { ask, ran } = await wrapped();
    const body = JSON.stringify('é'.repeat(maxOutcomeBytes / 2));
    const { given, cause } = await ask(async () => ({ statusCode: 200, body }));
    expect([given, cause]).toEqual([expect.objectContaining({ body }), undefined]);
    expect([(await ask(ok)).given, ran()]).toEqual(['idempotency_reply_lost', 1]);
  });

  test('but a large reply that fits is stored, and so are half surrogate pairs and an empty reply', async () => {
    const large = JSON.stringify('x'.repeat(maxOutcomeBytes - 1_000));
    for (const reply of [
      { statusCode: 200, body: large },
      { statusCode: 200, body: '"\\ud800"' },
      { statusCode: 204 },
    ]) {
      const { ask } = await wrapped();
      await ask(async () => reply);
      expect((await ask(ok)).given).toMatchObject(reply);
    }
    const { ask } = await wrapped();
    const resource = { id: '\ud800', type: 'voucher' };
    await ask(() => Promise.reject(new ServiceError('not_found', { details: 'no', resource })));
    expect((await ask(ok)).given).toBe('not_found');
  });
});

test('a reply that cannot be stored is still given, and the log reports it', async () => {
  const project = await openProject();
  let done = false;
  const client = clientWith(testDependencies().dynamodb, async (command, real) => {
    if (done) throw new Error('no capacity');
    const reply = await real();
    done ||= isTransaction(command);
    return reply;
  });
  const dependencies = testDependencies({ dynamodb: client });
  expect(outcomeOf(await adjusting(project, dependencies)('key'))).toEqual([200]);
  expect(JSON.parse(dependencies.lines[0] ?? '')).toMatchObject({
    status: 200,
    level: 'error',
    cause_message: 'a write may have succeeded: its reply was lost',
  });
});
