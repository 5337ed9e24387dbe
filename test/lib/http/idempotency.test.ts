import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createHandler } from '../../../functions/campaigns/create-campaign.ts';
import { handler as updateHandler } from '../../../functions/campaigns/update-campaign.ts';
import { handler as eventHandler } from '../../../functions/events/send-event.ts';
import { handler as adjustHandler } from '../../../functions/loyalties/adjust-pending-points.ts';
import { handler as transferHandler } from '../../../functions/loyalties/transfer-points.ts';
import { handler as issueHandler } from '../../../functions/oauth/issue-token.ts';
import { handler as updateTierHandler } from '../../../functions/promotions/update-promotion-tier.ts';
import { handler as enableHandler } from '../../../functions/vouchers/enable-voucher.ts';
import { handler as getHandler } from '../../../functions/vouchers/get-voucher.ts';
import { routes } from '../../../infra/operations.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Dependencies } from '../../../lib/http/composition.ts';
import { answerOnce, maxKeyLength } from '../../../lib/http/idempotency.ts';
import { keptForInSeconds, leaseInSeconds, maxOutcomeBytes } from '../../../lib/http/idempotency-record.ts';
import { takesIdempotencyKey } from '../../../lib/http/route.ts';
import { errorsOf } from '../../../lib/http/route-errors.ts';
import { openScope } from '../../../lib/http/scope.ts';
import { apiEvent } from '../../support/api-event.ts';
import { caller, lambdaContext, type Reply } from '../../support/call.ts';
import { clientWith, isTransaction } from '../../support/client.ts';
import { standingClock, testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { card, entry, programme } from '../../support/loyalty.ts';
import { itemsOf } from '../../support/outbox.ts';
import { credentialsOf, loadFile, projectFile } from '../../support/project.ts';
import { bearer, form, issueToken } from '../../support/tokens.ts';

const { dynamodb } = testDependencies();
const inUse = [409, 'idempotency_key_in_use'];
const reused = [409, 'idempotency_key_reused'];
const lost = [409, 'idempotency_reply_lost'];

const outcomeOf = ({ status, body }: Reply) => (status === 200 ? [200] : [status, body.key]);
const isReplay = ({ headers }: Reply) => headers['Idempotent-Replayed'] === 'true';

/** A project with a card that has 100 points pending, and two app keys. */
async function openProject(more: Record<string, unknown> = {}) {
  const file = projectFile({
    campaigns: [programme('camp_club')],
    customers: [{ id: 'cust_ada' }],
    event_schema: [{ name: 'visited', metadata: {} }],
    vouchers: [card('CARD', 100, { holder_id: 'cust_ada' }), card('OTHER', 50)],
    pending_points: [{ id: 'lopp_1', code: 'CARD', points: 100 }],
    ...more,
  });
  const second = { app_id: `second-${file.project.id}`, app_token: `second-${file.project.id}`, name: 'Till' };
  await loadFile({ ...file, app_keys: [...file.app_keys, second] });
  const id = file.project.id;
  return {
    id,
    credentials: credentialsOf(file),
    second: credentialsOf({ app_keys: [second] }),
    pending: async () => (await itemsOf(id, 'PENDING_POINTS#')).find((item) => item.id === 'lopp_1')?.points,
  };
}

type Project = Awaited<ReturnType<typeof openProject>>;

const params = { memberId: 'CARD', pendingPointsId: 'lopp_1' };

function adjusting(project: Project, dependencies: Dependencies = testDependencies()) {
  const call = caller(adjustHandler, dependencies);
  return (key: string | undefined, points = 7, headers: Record<string, string> = project.credentials) =>
    call({
      params,
      body: { points },
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });
}

describe('a key', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject();
  });

  test('makes a repeat answer what was answered, and do nothing', async () => {
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

  test('stands for one request: another body, path or query with it is refused', async () => {
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

  test('belongs to the app key, also when it calls with a token; to another app key or project it is new', async () => {
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

  test('is known for 24 hours and free after them', async () => {
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

  test.each(['', 'x'.repeat(maxKeyLength + 1)])('that is %j is refused, and nothing is done', async (key) => {
    const before = await project.pending();
    const { status, body } = await adjusting(project)(key);
    expect([status, body.key, body.details]).toEqual([400, 'invalid_idempotency_key', expect.stringContaining('255')]);
    expect(await project.pending()).toBe(before);
  });

  test('costs two calls of the table, a repeat one; without it there are none', async () => {
    const dependencies = testDependencies();
    const adjust = adjusting(project, dependencies);
    const key = uniqueId('key-');
    for (const sent of [undefined, undefined, key, key]) await adjust(sent);
    const [, without = 0, first = 0, repeat] = dependencies.lines.map((line) => JSON.parse(line).dynamodb_calls);
    expect([first - without, repeat]).toEqual([2, 1]);
  });

  test('is in no line of the log, and neither is what is kept under it', async () => {
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

describe('a refusal', () => {
  test('by the use case is kept, under the id of the request that asks again', async () => {
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

  test('of the input, the credentials or the rate is not: the same key is free for the request put right', async () => {
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

/** What `answerOnce` makes of a use case that does as it is told. */
async function wrapped() {
  const caller = { project: { id: uniqueId('proj_') }, appId: 'app', appName: 'Shop' };
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

describe('what is not kept', () => {
  const ok = async () => ({ statusCode: 200, body: '{}' });

  test('a failure of ours: the key is free again at once', async () => {
    const { ask, ran } = await wrapped();
    const failed = await ask(() => Promise.reject(new Error('broken')));
    expect(failed.given).toBe('Error: broken');
    const again = await ask(ok);
    expect([again.replayed, ran()]).toEqual([false, 2]);
    expect((await ask(ok)).replayed).toBe(true);
  });

  test('being told to come again later', async () => {
    const { ask } = await wrapped();
    const busy = new ServiceError('too_many_requests', { details: 'busy' });
    expect((await ask(() => Promise.reject(busy))).given).toBe('too_many_requests');
    expect((await ask(ok)).replayed).toBe(false);
  });

  test('a reply too large for an item: the caller gets it, and a repeat is told that it was done', async () => {
    const { ask, ran } = await wrapped();
    const body = JSON.stringify('é'.repeat(maxOutcomeBytes / 2));
    const { given, cause } = await ask(async () => ({ statusCode: 200, body }));
    expect([given, cause]).toEqual([expect.objectContaining({ body }), undefined]);
    expect([(await ask(ok)).given, ran()]).toEqual(['idempotency_reply_lost', 1]);
  });

  test('nor does a large reply that fits get lost, nor one of halves of surrogate pairs, nor an empty one', async () => {
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

/** A process that dies at its n-th call of the table, before it is sent or before its reply is read. */
function dying(at: number, when: 'before' | 'after') {
  let calls = 0;
  const client = clientWith(dynamodb, async (_, real) => {
    calls += 1;
    if (calls === at && when === 'after') await real();
    if (calls >= at) throw new Error('the process is gone');
    return real();
  });
  return { client, isDead: () => calls >= at };
}

interface Work {
  name: string;
  /** Whether what it did is recorded with it, so that it is not done again though its reply is lost. */
  commits: boolean;
  /** Whether it may be done again: then how often is not to be seen. */
  prepare: () => Promise<{
    call: (dependencies: Dependencies, key: string) => Promise<Reply>;
    effects: () => Promise<number>;
  }>;
}

const keyed = ({ credentials }: Project, key: string) => ({ ...credentials, 'idempotency-key': key });

const works: Work[] = [
  {
    name: 'an adjustment of pending points',
    commits: true,
    prepare: async () => {
      const project = await openProject();
      return {
        call: (dependencies, key) => adjusting(project, dependencies)(key),
        effects: async () => (Number(await project.pending()) - 100) / 7,
      };
    },
  },
  {
    name: 'an event',
    commits: true,
    prepare: async () => {
      const project = await openProject();
      const body = { event: 'visited', customer: { id: 'cust_ada' } };
      return {
        call: (dependencies, key) => caller(eventHandler, dependencies)({ body, headers: keyed(project, key) }),
        effects: async () =>
          (await itemsOf(project.id, 'ACTIVITY#')).filter(({ type }) => type === 'customer.custom_event').length,
      };
    },
  },
  {
    name: 'the creation of a campaign without a name',
    commits: true,
    prepare: async () => {
      const project = await openProject();
      return {
        call: (dependencies, key) => caller(createHandler, dependencies)({ body: {}, headers: keyed(project, key) }),
        effects: async () =>
          (await itemsOf(project.id, 'CAMPAIGN')).filter(({ sk, id }) => sk === 'CAMPAIGN' && id !== 'camp_club')
            .length,
      };
    },
  },
  {
    name: 'a transfer, which its own source_id keeps from happening twice',
    commits: false,
    prepare: async () => {
      const project = await openProject();
      const params = { campaignId: 'camp_club', memberId: 'OTHER' };
      return {
        call: (dependencies, key) =>
          caller(
            transferHandler,
            dependencies,
          )({ params, body: [entry('CARD', 1, `tx-${key}`)], headers: keyed(project, key) }),
        effects: async () => (await itemsOf(project.id, 'TRANSFER_CLAIM#')).length,
      };
    },
  },
];

describe.each(works)('$name', ({ commits, prepare }) => {
  test('of twenty at once with one key is done once; who does not get its answer is told to wait for it', async () => {
    const { call, effects } = await prepare();
    const dependencies = testDependencies();
    const replies = await Promise.all(Array.from({ length: 20 }, () => call(dependencies, 'one')));
    expect(replies.filter((reply) => reply.status === 200 && !isReplay(reply))).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect([outcomeOf(reply), reply.headers['Retry-After']]).toEqual([inUse, '1']);
    }
    expect(new Set(replies.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body))).size).toBe(
      1,
    );
    expect(isReplay(await call(dependencies, 'one'))).toBe(true);
    expect(await effects()).toBe(1);
  });

  test('is done once, whichever call of the table its process dies at and who takes over when', async () => {
    const { call, effects } = await prepare();
    const alive = () => testDependencies({ clock });
    const clock = standingClock();
    let done = 0;
    let lostReplies = 0;
    for (let at = 1, died = true; died; at++) {
      for (const when of ['before', 'after'] as const) {
        const key = `${at}-${when}`;
        const { client, isDead } = dying(at, when);
        const first = await call(testDependencies({ clock, dynamodb: client }), key);
        died = isDead();
        // Only the last call, which keeps the reply, can die without the caller seeing it.
        expect([200, 500]).toContain(first.status);
        const during = await call(alive(), key);
        expect([[200], inUse]).toContainEqual(outcomeOf(during));
        clock.advance(leaseInSeconds);
        const after = await call(alive(), key);
        expect(commits ? [[200], lost] : [[200]]).toContainEqual(outcomeOf(after));
        if (during.status === 200) expect([outcomeOf(after), isReplay(after)]).toEqual([[200], true]);
        if (outcomeOf(after)[0] === 409) lostReplies += 1;
        done += 1;
        expect(await effects()).toBe(done);
        expect(outcomeOf(await call(alive(), key))).toEqual(outcomeOf(after));
      }
    }
    // After the transaction, before the reply is kept, and a death between the two.
    expect(lostReplies).toBe(commits ? 2 : 0);
  });

  test('that outlives its lease does nothing more once another has taken over', async () => {
    const { call, effects } = await prepare();
    const clock = standingClock();
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const client = clientWith(dynamodb, async (command, real) => {
      if (isTransaction(command)) {
        reached.resolve();
        await held.promise;
      }
      return real();
    });
    const slow = call(testDependencies({ clock, dynamodb: client }), 'slow');
    await reached.promise;
    expect(outcomeOf(await call(testDependencies({ clock }), 'slow'))).toEqual(inUse);
    clock.advance(leaseInSeconds);
    const second = await call(testDependencies({ clock }), 'slow');
    expect([outcomeOf(second), isReplay(second)]).toEqual([[200], false]);
    held.resolve();
    expect(outcomeOf(await slow)).toEqual(commits ? inUse : [200]);
    expect(await effects()).toBe(1);
    const third = await call(testDependencies({ clock }), 'slow');
    expect([third.body, isReplay(third)]).toEqual([second.body, true]);
  });
});

describe('a transaction whose reply is lost', () => {
  test('is not done again: the caller gets a 500, and who asks again hears that it took effect', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, async (command, real) => {
      const reply = await real();
      if (isTransaction(command)) throw new Error('no reply');
      return reply;
    });
    const failed = await adjusting(project, testDependencies({ dynamodb: client }))('key');
    expect(outcomeOf(failed)).toEqual([500, 'internal_error']);
    expect(outcomeOf(await adjusting(project)('key'))).toEqual(lost);
    expect(await project.pending()).toBe(107);
  });

  test('that had not arrived leaves the key free at once', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, (command, real) =>
      isTransaction(command) ? Promise.reject(new Error('not sent')) : real(),
    );
    const failed = await adjusting(project, testDependencies({ dynamodb: client }))('key');
    expect(outcomeOf(failed)).toEqual([500, 'internal_error']);
    expect(outcomeOf(await adjusting(project)('key'))).toEqual([200]);
    expect(await project.pending()).toBe(107);
  });
});

test('a reply that cannot be kept is still given, and the log says so', async () => {
  const project = await openProject();
  let done = false;
  const client = clientWith(dynamodb, async (command, real) => {
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
    cause_message: 'no capacity',
  });
});

describe('a claim whose reply was lost and which the SDK repeats', () => {
  test('is still its own', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, async ({ input }, real) => {
      if (String(input.UpdateExpression).includes('#lease')) await real();
      return real();
    });
    expect(outcomeOf(await adjusting(project, testDependencies({ dynamodb: client }))('key'))).toEqual([200]);
  });
});

describe('updates, which may be repeated, take keys as well', () => {
  test('of a campaign, of a promotion tier, and the enabling of a voucher', async () => {
    const project = await openProject({
      campaigns: [
        programme('camp_club'),
        { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
      ],
      promotion_tiers: [{ id: 'promo_1', campaign_id: 'camp_promo', name: 'One', hierarchy: 1 }],
    });
    const headers = keyed(project, 'key');
    const sent = [
      () => caller(updateHandler)({ params: { campaignId: 'camp_club' }, body: { description: 'a' }, headers }),
      () =>
        caller(updateTierHandler)({
          params: { promotionTierId: 'promo_1' },
          body: { name: 'Two' },
          headers: { ...headers, 'idempotency-key': 'tier' },
        }),
      () => caller(enableHandler)({ params: { code: 'CARD' }, headers: { ...headers, 'idempotency-key': 'enable' } }),
    ];
    for (const send of sent) {
      const first = await send();
      const repeat = await send();
      expect([outcomeOf(first), isReplay(first)]).toEqual([[200], false]);
      expect([repeat.body, isReplay(repeat)]).toEqual([first.body, true]);
    }
  });
});

describe('the header is not looked at', () => {
  test('where tokens are asked for: a reply kept would be a token in clear', async () => {
    const project = await openProject();
    const call = caller(issueHandler);
    const issue = (key: string) =>
      call({
        headers: { ...keyed(project, key), ...form },
        body: 'grant_type=client_credentials&scope=api',
      });
    const tokens = [await issue('key'), await issue('key'), await issue('')];
    expect(tokens.map(outcomeOf)).toEqual([[200], [200], [200]]);
    expect(new Set(tokens.map(({ body }) => body.access_token)).size).toBe(3);
    expect(await itemsOf(project.id, 'IDEMPOTENCY_KEY')).toEqual([]);
  });

  test('where something is only read', async () => {
    const project = await openProject();
    const replies = [
      await caller(getHandler)({ params: { code: 'CARD' }, headers: keyed(project, 'key') }),
      await caller(getHandler)({ params: { code: 'OTHER' }, headers: keyed(project, 'key') }),
    ];
    expect(replies.map(({ body }) => body.code)).toEqual(['CARD', 'OTHER']);
  });

  test('nor are its refusals among those of such routes', () => {
    for (const route of routes) {
      expect(errorsOf(route).some((key) => key.includes('idempotency'))).toBe(takesIdempotencyKey(route));
    }
  });
});
