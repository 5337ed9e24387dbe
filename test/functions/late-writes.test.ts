import { describe, expect, test } from 'vitest';
import { allAsked } from '../support/asked.ts';
import { faultsByKind, isWrite } from '../support/faults.ts';
import { lateWrites } from '../support/late-writes.ts';
import { sampled } from '../support/sampled.ts';
import { openUnderFaults } from '../support/under-faults.ts';

const { ask, changesTo, effects, faultless, patient, restore, shown, waysOf } = openUnderFaults();

describe('an attempt without an answer that is carried out late counts once:', () => {
  const some = faultsByKind();
  const ways = Object.entries(lateWrites);
  const asFaults = ways.map(([name]): [string, () => void] => [name, () => {}]);
  const writing = allAsked.filter(({ operation }) => operation.route.access === 'write');
  test.each(sampled(writing, 7))('$name', { timeout: 600_000 }, async (asked) => {
    const { calls, reply, state } = await faultless(asked);
    const left = changesTo(state);
    for (const call of calls.filter(isWrite)) {
      const wanted = new Set(
        some(call, calls, asFaults, { ...waysOf(asked), of: `late ${asked.name}` }).map(([name]) => name),
      );
      for (const [name, make] of ways.filter(([one]) => wanted.has(one))) {
        const where = `call ${call.number} of ${calls.length}, ${call.operation}, ${name}`;
        const late = make(call.number);
        const given = await ask(asked, { ...patient, plan: late.plan });
        await late.deliver();
        const after = await restore();
        if (given.reply.status === reply.status) {
          expect(shown(given.reply, after), where).toBe(shown(reply, state));
          expect(changesTo(after), where).toEqual(left);
          continue;
        }
        // A reply that says so honestly has done it once or not at all.
        expect([given.reply.status, given.reply.body.key], where).toEqual([500, 'outcome_unknown']);
        const done = effects(after);
        // If a card is settled first, that may be the only effect.
        if (done.length > 0 && asked.at === undefined) expect(done, where).toEqual(effects(state));
      }
    }
  });
});
