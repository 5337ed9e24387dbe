import { describe, expect, test } from 'vitest';
import { allAsked } from './asked.ts';
import { faultsByKind, isWrite } from './faults.ts';
import { lateWrites } from './late-writes.ts';
import { sampled } from './sampled.ts';
import { openUnderFaults } from './under-faults.ts';

/** The operations are divided among this many files, which run side by side. */
const lateParts = 3;

/** Delays, cancels, throttles and doubles each write of a part of all operations. */
export function describeLateWrites(part: 0 | 1 | 2): void {
  const { ask, changesTo, effects, faultless, restore, shown, waysOf } = openUnderFaults();
  describe('an attempt without an answer that is carried out late counts once:', () => {
    const some = faultsByKind();
    const ways = Object.entries(lateWrites);
    const asFaults = ways.map(([name]): [string, () => void] => [name, () => {}]);
    const writing = allAsked.filter(({ operation }) => operation.route.access === 'write');
    const own = sampled(writing, 9).filter((_, index) => index % lateParts === part);
    test.each(own)('$name', { timeout: 600_000 }, async (asked) => {
      const { calls, reply, state } = await faultless(asked);
      const left = changesTo(state);
      for (const call of calls.filter(isWrite)) {
        const wanted = new Set(
          some(call, calls, asFaults, { ...waysOf(asked), of: `late ${asked.name}` }).map(([name]) => name),
        );
        for (const [name, make] of ways.filter(([one]) => wanted.has(one))) {
          const where = `call ${call.number} of ${calls.length}, ${call.operation}, ${name}`;
          const late = make(call.number);
          const given = await ask(asked, late);
          await late.deliver();
          const after = await restore();
          if (given.reply.status === reply.status) {
            expect(shown(given.reply, after), where).toBe(shown(reply, state));
            expect(changesTo(after), where).toEqual(left);
            continue;
          }
          const done = effects(after);
          // Calls of one request have no fixed order, and a read that is refused again and again changes nothing.
          if (given.reply.status === 429) {
            expect(done, where).toEqual([]);
            continue;
          }
          // A reply that says so honestly has done it once or not at all.
          expect([given.reply.status, given.reply.body.key], where).toEqual([500, 'outcome_unknown']);
          // If a card is settled first, that may be the only effect.
          if (done.length > 0 && asked.at === undefined) expect(done, where).toEqual(effects(state));
        }
      }
    });
  });
}
