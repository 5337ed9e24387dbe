import { describe, expect, test } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { leaseInSeconds } from '#kernel/http/idempotency-record.ts';
import { handler as createHandler } from '../../../../functions/campaigns/create-campaign.ts';
import { handler as eventHandler } from '../../../../functions/events/send-event.ts';
import { handler as transferHandler } from '../../../../functions/loyalties/transfer-points.ts';
import { caller, type Reply } from '../../../support/call.ts';
import { clientWith, isTransaction } from '../../../support/client.ts';
import { standingClock, testDependencies } from '../../../support/dependencies.ts';
import {
  adjusting,
  inUse,
  isReplay,
  keyed,
  lost,
  openProject,
  outcomeOf,
  type Project,
} from '../../../support/idempotency.ts';
import { entry } from '../../../support/loyalty.ts';
import { itemsOf } from '../../../support/outbox.ts';

const { dynamodb } = testDependencies();

/** A process that dies at its n-th call of the table, before it is sent or before its reply is read. */
function dying(at: number, when: 'before' | 'after') {
  let calls = 0;
  const client = clientWith(dynamodb, async (_, real) => {
    calls += 1;
    if (calls === at && when === 'after') await real();
    if (calls >= at) throw new Error('the process has died');
    return real();
  });
  return { client, isDead: () => calls >= at };
}

interface Work {
  name: string;
  /** True if the effect is recorded with it, so that a lost reply does not repeat it. */
  commits: boolean;
  of: (project: Project) => {
    call: (dependencies: Dependencies, key: string) => Promise<Reply>;
    /** Returns how often it was done. */
    effects: () => Promise<number>;
  };
}

const works: Work[] = [
  {
    name: 'an adjustment of pending points',
    commits: true,
    of: (project) => ({
      call: (dependencies, key) => adjusting(project, dependencies)(key),
      effects: async () => (Number(await project.pending()) - 100) / 7,
    }),
  },
  {
    name: 'an event',
    commits: true,
    of: (project) => ({
      call: (dependencies, key) => {
        const body = { event: 'visited', customer: { id: 'cust_ada' } };
        return caller(eventHandler, dependencies)({ body, headers: keyed(project, key) });
      },
      effects: async () =>
        (await itemsOf(project.id, 'ACTIVITY#')).filter(({ type }) => type === 'customer.custom_event').length,
    }),
  },
  {
    name: 'the creation of a campaign without a name',
    commits: true,
    of: (project) => ({
      call: (dependencies, key) => caller(createHandler, dependencies)({ body: {}, headers: keyed(project, key) }),
      effects: async () =>
        (await itemsOf(project.id, 'CAMPAIGN')).filter(({ sk, id }) => sk === 'CAMPAIGN' && id !== 'camp_club').length,
    }),
  },
  {
    name: 'a transfer, which its own source_id protects from a repeat',
    commits: false,
    of: (project) => ({
      call: (dependencies, key) => {
        const params = { campaignId: 'camp_club', memberId: 'OTHER' };
        const body = [entry('CARD', 1, `tx-${key}`)];
        return caller(transferHandler, dependencies)({ params, body, headers: keyed(project, key) });
      },
      effects: async () => (await itemsOf(project.id, 'TRANSFER_CLAIM#')).length,
    }),
  },
];

describe.each(works)('$name', ({ commits, of }) => {
  const prepare = async () => of(await openProject());

  test('twenty equal requests at once have one effect; callers without its answer are told to wait for it', async () => {
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

  test('a request has one effect, at whichever call its process dies and whenever another takes over', async () => {
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
        // Only the last call stores the reply, so only its death can pass unnoticed by the caller.
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
    // Deaths after the transaction and before the stored reply.
    expect(lostReplies).toBe(commits ? 2 : 0);
  });

  test('a request that outlives its lease does nothing more once another has taken over', async () => {
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
  test('is not done again: its record answers the caller, and a repeat gets the same reply', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, async (command, real) => {
      const reply = await real();
      if (isTransaction(command)) throw new Error('no reply');
      return reply;
    });
    const answered = await adjusting(project, testDependencies({ dynamodb: client }))('key');
    expect(outcomeOf(answered)).toEqual([200]);
    const repeated = await adjusting(project)('key');
    expect([repeated.body, isReplay(repeated)]).toEqual([answered.body, true]);
    expect(await project.pending()).toBe(107);
  });

  test('leaves the key free at once if it had not arrived', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, (command, real) =>
      isTransaction(command) ? Promise.reject(new Error('not sent')) : real(),
    );
    const failed = await adjusting(project, testDependencies({ dynamodb: client }))('key');
    expect(outcomeOf(failed)).toEqual([500, 'outcome_unknown']);
    expect(outcomeOf(await adjusting(project)('key'))).toEqual([200]);
    expect(await project.pending()).toBe(107);
  });
});

describe('a claim whose reply was lost, and which the SDK repeats,', () => {
  test('still belongs to its caller', async () => {
    const project = await openProject();
    const client = clientWith(dynamodb, async ({ input }, real) => {
      if (String(input.UpdateExpression).includes('#lease')) await real();
      return real();
    });
    expect(outcomeOf(await adjusting(project, testDependencies({ dynamodb: client }))('key'))).toEqual([200]);
  });
});
