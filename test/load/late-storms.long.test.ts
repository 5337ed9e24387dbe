import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller, type Reply } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { stormy } from '../support/storm.ts';
import { type Asked, adjusting, credits, earning, limits, locking, points, sales, shop } from './late-storm-shop.ts';

/**
 * Random stories in storms with late writes. Their books come from replies and records alone. A limit is never exceeded and is reached in the
 * end, each balance equals its ledger, and each answer says what happened.
 */

/** `STORMS=500` lasts some twenty minutes on two quiet cores. */
const storms = Number(process.env.STORMS ?? (isLong ? 25 : 6));
/** `STORM_SEED` sets the first seed. Each further storm has the next. */
const firstSeed = Number(process.env.STORM_SEED ?? 1);
const actions = 48;
const callers = 6;
const containers = 4;
/** Holds and blocks of the storm have lapsed by then. */
const afterwards = new Date(testTime.getTime() + 10 * 60_000);

let proxy: FaultProxy;
let clients: ReturnType<FaultProxy['newClient']>[];
beforeAll(async () => {
  proxy = await startFaultProxy();
  clients = Array.from({ length: containers }, () => proxy.newClient());
});
afterAll(() => proxy.close());

interface Answer {
  readonly kind: string;
  readonly reply: Reply;
}

const isDone = ({ reply }: Answer) => reply.status === 200;
const isUnknown = ({ reply }: Answer) => reply.status === 500;

async function storm(seed: number): Promise<Answer[]> {
  const below = seeded(seed);
  const project = await loadProject(shop);
  const { id, credentials: headers } = project;
  const weather = stormy(seeded(seed + 1_000_000), { late: 8 });
  proxy.run(weather);
  const answers: Answer[] = [];
  const sold: string[] = [];
  const draw = (number: number): Asked => {
    const all = Object.values(sales);
    const drawn = below(12);
    if (drawn < 7) return all[below(all.length)] ?? sales.code;
    if (drawn === 7) return locking(number);
    if (drawn === 8) return earning;
    if (drawn === 9) return adjusting;
    const redemptionId = sold[below(sold.length || 1)];
    return redemptionId === undefined ? adjusting : ['rollback', rollBack, { params: { redemptionId }, body: {} }];
  };
  let next = 0;
  const call = async (caller_: number) => {
    while (next < actions) {
      const number = next++;
      const [kind, handler, request] = draw(number);
      const keyed = below(3) === 0 ? { ...headers, 'idempotency-key': `one-${seed}-${number}` } : headers;
      const dynamodb = clients[(caller_ + number) % containers] ?? proxy.client;
      const reply = await caller(handler, testDependencies({ dynamodb }))({ ...request, headers: keyed });
      answers.push({ kind, reply });
      if (reply.status === 200 && handler === redeem) sold.push(reply.body.redemptions[0].id);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
  await weather.deliver();
  proxy.run();
  await expectBooks(id, headers, answers);
  return answers;
}

/** Checks what the storm left against the answers, and then uses up what is left. */
async function expectBooks(id: string, headers: Record<string, string>, answers: readonly Answer[]) {
  const later = testDependencies({ clock: () => afterwards });
  const ask = async ([kind, handler, request]: Asked): Promise<Answer> => ({
    kind,
    reply: await caller(handler, later)({ ...request, headers }),
  });
  expect(answers.filter(({ reply }) => ![200, 400, 409, 429, 500].includes(reply.status))).toEqual([]);
  expect(answers.filter((one) => isUnknown(one) && one.reply.body.key !== 'outcome_unknown')).toEqual([]);

  const records = async (code: (name: string) => boolean) => {
    const all = (await itemsOf(id, 'REDEMPTION', later)).filter(({ deleted_at }) => deleted_at === undefined);
    return all.filter(({ voucher_code, object, result }) => {
      return object === 'redemption' && result === 'SUCCESS' && code(String(voucher_code));
    });
  };
  const standing = async (code: (name: string) => boolean) =>
    (await records(code)).filter(({ status }) => status === 'SUCCEEDED').length;
  const codes: Record<string, (name: string) => boolean> = {
    code: (name) => name === 'CODE',
    gift: (name) => name === 'GIFT',
    card: (name) => name === 'CARD',
    budget: (name) => name.startsWith('SALE'),
  };
  /** An answer says that it was done, or that it may have been. Nothing else may have been done. */
  const expectSaid = (kind: string, done: number) => {
    const own = answers.filter((one) => one.kind === kind);
    const told = own.filter(isDone).length;
    expect(done, kind).toBeGreaterThanOrEqual(told);
    expect(done, kind).toBeLessThanOrEqual(told + own.filter(isUnknown).length);
  };
  for (const [kind, code] of Object.entries(codes)) expectSaid(kind, (await records(code)).length);

  const transactions = async (code: string) => {
    const { body } = await caller(listTransactions, later)({ headers, params: { code }, query: 'limit=100' });
    return body.data as { type: string; details: { balance: { points?: number; amount?: number } } }[];
  };
  const read = async (code: string) => (await caller(getVoucher, later)({ headers, params: { code } })).body;

  // Nothing is above a limit while holds of the storm still stand, and every use is possible once they have lapsed.
  const uses = { code: limits.code, budget: limits.budget, gift: limits.gift / credits };
  for (const [kind, most] of Object.entries(uses)) {
    expect(await standing(codes[kind] ?? (() => false)), kind).toBeLessThanOrEqual(most);
  }
  const asks = { code: sales.code, budget: sales.budget, gift: sales.gift, card: sales.card };
  for (const [kind, asked] of Object.entries(asks)) {
    let refusal = '';
    while (refusal === '') {
      const { reply } = await ask(asked);
      if (reply.status === 200) continue;
      expect(reply.status, `${kind}: ${JSON.stringify(reply.body)}`).toBe(400);
      refusal = reply.body.key;
    }
  }
  for (const [kind, most] of Object.entries(uses)) {
    expect(await standing(codes[kind] ?? (() => false)), kind).toBe(most);
  }
  expect((await read('CODE')).redemption.redeemed_quantity).toBe(limits.code);
  const gift = await read('GIFT');
  expect([gift.gift.balance, gift.redemption.redeemed_amount]).toEqual([0, limits.gift]);

  const card = await transactions('CARD');
  const change = ({ details }: (typeof card)[number]) => details.balance.points ?? 0;
  const sum = (some: typeof card) => some.reduce((before, one) => before + change(one), 0);
  const { balance } = (await read('CARD')).loyalty_card;
  const earned = card.filter(({ type }) => type === 'POINTS_ACCRUAL');
  const added = card.filter(({ type }) => type === 'POINTS_ADDITION');
  expectSaid('event', earned.length);
  expectSaid('adjustment', added.length);
  expect(sum(card) + limits.card).toBe(balance);
  expect(balance).toBe(
    limits.card + 3 * earned.length + 2 * added.length - points * (await standing(codes.card ?? (() => false))),
  );
  expect(balance).toBeLessThan(points);

  const locked = answers.filter(({ kind, reply }) => kind === 'session' && reply.body?.valid === true).length;
  expect(locked).toBeLessThanOrEqual(limits.session);
}

test(`${storms} storms from seed ${firstSeed} on leave no limit exceeded or short, and no balance unlike its ledger`, async () => {
  let succeeded = 0;
  for (let seed = firstSeed; seed < firstSeed + storms; seed++) {
    const answers = await storm(seed).catch((error: unknown) => {
      throw new Error(`STORM_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    });
    succeeded += answers.filter(isDone).length;
  }
  // Storms in which nothing succeeds would prove nothing.
  expect(succeeded).toBeGreaterThan(storms * 8);
});
