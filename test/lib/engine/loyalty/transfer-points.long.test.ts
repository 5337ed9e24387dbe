import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as adjustHandler } from '../../../../functions/loyalties/adjust-pending-points.ts';
import { handler as transferHandler } from '../../../../functions/loyalties/transfer-points.ts';
import { caller, type Reply } from '../../../support/call.ts';
import { clientWith } from '../../../support/client.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { type Club, card, type Entry, entry, ledgerOf, newClub } from '../../../support/loyalty.ts';

const many = Array.from({ length: 32 }, (_, index) => `MANY-${index}`);

function keysOf(replies: readonly Reply[]): Record<string, number> {
  const keys = replies.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.key}`));
  return Object.fromEntries(
    Object.entries(Object.groupBy(keys, (key) => key)).map(([key, all]) => [key, all?.length ?? 0]),
  );
}

/** Repeats like a client that is told to come again. */
async function untilTaken(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 429) return reply;
  }
}

async function sumOf(club: Club, codes: readonly string[]): Promise<number> {
  const balances = await Promise.all(codes.map((code) => club.balance(code)));
  return balances.reduce((sum, balance) => sum + balance, 0);
}

describe('at once', () => {
  let club: Club;
  beforeAll(async () => {
    club = await newClub({
      vouchers: [
        ...many.map((code) => card(code, 10)),
        ...['A', 'B', 'C', 'D', 'E', 'F'].flatMap((code) => [card(code, 100), card(`${code}-TO`, 0)]),
      ],
    });
  });

  test('a card with 100 points pays exactly one of twenty transfers of 60', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => club.transfer('A-TO', [entry('A', 60)])));
    expect(keysOf(replies)).toEqual({ '200': 1, '400 loyalty_card_points_exceeded': 19 });
    expect([await club.balance('A'), await club.balance('A-TO')]).toEqual([40, 60]);
    expect(await ledgerOf(club, 'A')).toMatchObject([{ points: -60, balance: 40 }]);
  });

  test('twenty repeats of one transfer all answer 200 with the current points, which move once', async () => {
    for (const body of [[entry('B', 60)], [entry('B', 10), entry('C', 60), entry('B', 20)]]) {
      const before = await club.balance('B-TO');
      const replies = await Promise.all(Array.from({ length: 20 }, () => club.transfer('B-TO', body)));
      expect(keysOf(replies)).toEqual({ '200': 20 });
      const sum = body.reduce((total, { points }) => total + points, before);
      expect(new Set(replies.map(({ body }) => body.loyalty_card.balance))).toEqual(new Set([sum]));
      expect(await club.balance('B-TO')).toBe(sum);
    }
    expect(await Promise.all([club.balance('B'), club.balance('C')])).toEqual([10, 40]);
  });

  test('32 transfers into one card all succeed', async () => {
    const replies = await Promise.all(many.map((code) => untilTaken(() => club.transfer('D-TO', [entry(code, 7)]))));
    expect(keysOf(replies)).toEqual({ '200': 32 });
    expect(await club.balance('D-TO')).toBe(224);
    expect(await ledgerOf(club, 'D-TO')).toHaveLength(32);
  });

  test('two transfers that cross each other both succeed', async () => {
    const bodies = Array.from({ length: 10 }, (_, index): [string, Entry[]] =>
      index % 2 ? ['E', [entry('F', 3)]] : ['F', [entry('E', 2)]],
    );
    const replies = await Promise.all(bodies.map(([to, body]) => untilTaken(() => club.transfer(to, body))));
    expect(keysOf(replies)).toEqual({ '200': 10 });
    expect([await club.balance('E'), await club.balance('F')]).toEqual([105, 95]);
  });
});

/** Makes a container whose table answers with `fault`. `undefined` lets a call pass. */
function faulty(
  fault: (command: string, call: number, send: () => Promise<unknown>) => Promise<unknown> | undefined,
  patience: { patienceInMs?: number } = {},
) {
  const { dynamodb } = testDependencies();
  let calls = 0;
  const client = clientWith(dynamodb, (command, real) => fault(command.constructor.name, ++calls, real) ?? real());
  return testDependencies({ dynamodb: client, ...patience });
}

describe('a transfer of 32 entries, the most allowed,', () => {
  let club: Club;
  beforeAll(async () => {
    club = await newClub({ vouchers: [card('TO', 0), ...many.map((code) => card(code, 1_000))] });
  });

  const broken = () => Promise.reject(new Error('broken'));
  test.each<[string, (send: () => Promise<unknown>) => Promise<unknown>]>([
    ['before', broken],
    ['after', (send) => send().then(broken)],
  ])('moves all or nothing if it breaks off %s any of its calls, and its repeat succeeds', async (_, breaks) => {
    let reached = true;
    let moved = 0;
    for (let at = 1; reached; at++) {
      const body = many.map((code) => entry(code, 1));
      const before = await sumOf(club, many);
      reached = false;
      const dependencies = faulty((_command, call, send) => {
        if (call !== at) return undefined;
        reached = true;
        return breaks(send);
      });
      const call = caller(transferHandler, dependencies);
      const request = { params: { campaignId: 'camp_club', memberId: 'TO' }, headers: club.project.credentials, body };
      const reply = await call(request);
      const given = before - (await sumOf(club, many));
      expect([0, 32]).toContain(given);
      // A transfer whose reply was lost is answered from its entries, if the table can be read.
      expect(reply.status).toBe(reached && (given === 0 || reply.status !== 200) ? 500 : 200);
      if (given > 0 && reached) moved += 1;
      expect((await club.transfer('TO', body)).status).toBe(200);
      expect(before - (await sumOf(club, many))).toBe(32);
    }
    // Only a break after the one transaction has moved anything.
    expect(moved).toBe(breaks === broken ? 0 : 1);
    expect((await sumOf(club, many)) + (await club.balance('TO'))).toBe(32_000);
    await ledgerOf(club, 'TO');
  });

  test('meets other transactions and a busy table without a visible effect', async () => {
    const before = await club.balance('TO');
    const codes = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
    const dependencies = faulty((command) => {
      const Code = command === 'TransactWriteCommand' ? codes.shift() : undefined;
      return Code ? Promise.reject(cancelled('None', Code)) : undefined;
    });
    const params = { campaignId: 'camp_club', memberId: 'TO' };
    const body = many.map((code) => entry(code, 1));
    const reply = await caller(transferHandler, dependencies)({ params, headers: club.project.credentials, body });
    expect([reply.status, reply.body.loyalty_card.balance]).toEqual([200, before + 32]);
    expect(codes).toEqual([]);
  });
});

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** The pause is random, so that callers do not come back at one moment. */
const aFewSeconds = expect.stringMatching(/^[123]$/);

describe('a lasting obstacle', () => {
  test.each(['TransactionConflict', 'ThrottlingError'])(
    'such as %s is a 429 when patience ends, and nothing has moved',
    async (code) => {
      const club = await newClub({
        vouchers: [card('A', 100), card('B', 0)],
        pending_points: [{ id: 'lopp_1', code: 'A', points: 10, state: 'PENDING' }],
      });
      const dependencies = faulty(
        (command) => (command === 'TransactWriteCommand' ? Promise.reject(cancelled(code, 'None')) : undefined),
        { patienceInMs: 300 },
      );
      const { credentials: headers } = club.project;
      const replies = await Promise.all([
        caller(
          transferHandler,
          dependencies,
        )({
          params: { campaignId: 'camp_club', memberId: 'B' },
          headers,
          body: [entry('A', 1)],
        }),
        caller(
          adjustHandler,
          dependencies,
        )({
          params: { memberId: 'A', pendingPointsId: 'lopp_1' },
          headers,
          body: { points: 5 },
        }),
      ]);
      expect(keysOf(replies)).toEqual({ '429 too_many_requests': 2 });
      expect(replies.map((reply) => reply.headers['Retry-After'])).toEqual([aFewSeconds, aFewSeconds]);
      expect(await Promise.all([club.balance('A'), club.balance('B')])).toEqual([100, 0]);
      expect((await club.adjust('A', 'lopp_1', 1)).body.total).toBe(11);
    },
  );
});
