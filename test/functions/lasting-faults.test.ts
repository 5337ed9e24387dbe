import { describe, expect, test } from 'vitest';
import { type Asked, allAsked } from '../support/asked.ts';
import { type Call, faults, faultsByKind, isWrite, lasting, type Plan } from '../support/faults.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { openUnderFaults } from '../support/under-faults.ts';

const { ask, effects, faultless, patient, readNow, restore, shown, waysOf } = openUnderFaults();

const lastingByKind = faultsByKind();

/** The fault lasts from this call on. */
function plansFrom(call: Call, calls: readonly Call[], asked: Asked): [string, Plan][] {
  const throttled = faults['is throttled'];
  const lost = faults['is carried out, and its reply is lost'];
  return [
    ...lastingByKind(call, calls, Object.entries(lasting), waysOf(asked)).map(([name, fault]): [string, Plan] => [
      `each ${name}`,
      ({ number }) => (number >= call.number ? fault : undefined),
    ]),
    ...(isWrite(call)
      ? [
          [
            'it is carried out without a reply, and the others are throttled',
            ({ number }) => (number > call.number ? throttled : number === call.number ? lost : undefined),
          ] satisfies [string, Plan],
        ]
      : []),
  ];
}

describe('a table that stays broken causes a clean error, and the whole effect or none:', () => {
  // If a card is settled first, that may be the only effect.
  test.each(sampled(allAsked, 6).filter(({ at, isMore }) => at === undefined && (isLong || !isMore)))(
    '$name',
    { timeout: 600_000 },
    async (asked) => {
      const { calls, reply, state } = await faultless(asked);
      const everything = effects(state);
      for (const call of calls) {
        if (!isWrite(call) && call.number !== calls.length) continue;
        for (const [name, plan] of plansFrom(call, calls, asked)) {
          const where = `from call ${call.number} of ${calls.length} on, ${call.operation}, ${name}`;
          const given = await ask(asked, { patienceInMs: 40, plan });
          const stateNow = await readNow();
          const left = effects(stateNow);
          if (given.reply.status === reply.status) {
            // The record of an idempotency key is no longer needed for it.
            expect(shown(given.reply, stateNow), where).toBe(shown(reply, state));
            expect(left, where).toEqual(everything);
          } else if (given.reply.status === 429) {
            // The reply says that nothing was changed.
            expect(left, where).toEqual([]);
          } else {
            expect(given.reply.status, where).toBe(500);
            if (left.length > 0) expect(left, where).toEqual(everything);
          }
          if (asked.hasKey) await expectOnce(asked, { before: left, everything, where });
          await restore();
        }
      }
    },
  );
});

/** The same request with the same key is repeated after the recovery. It is carried out unless it already was. */
async function expectOnce(
  asked: Asked,
  { before, everything, where }: Record<'before' | 'everything', string[]> & { where: string },
) {
  const { reply } = await ask(asked, patient);
  const after = effects(await readNow());
  if (reply.status === asked.operation.route.reply.status) {
    expect(after, where).toEqual(everything);
  } else {
    expect(['idempotency_key_in_use', 'idempotency_reply_lost'], where).toContain(reply.body.key);
    expect(after, where).toEqual(before);
  }
}
