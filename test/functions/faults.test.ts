import { describe, expect, test } from 'vitest';
import { allAsked } from '../support/asked.ts';
import { faultsByKind, faultsOf } from '../support/faults.ts';
import { sampled } from '../support/sampled.ts';
import { openUnderFaults } from '../support/under-faults.ts';

const { ask, changesTo, faultless, patient, restore, shown, waysOf } = openUnderFaults();

describe('one fault at any call is invisible:', () => {
  const some = faultsByKind();
  test.each(sampled(allAsked, 7))('$name', { timeout: 600_000 }, async (asked) => {
    const { calls, reply, state } = await faultless(asked);
    const left = changesTo(state);
    for (const call of calls) {
      for (const [name, fault] of some(call, calls, faultsOf(call), waysOf(asked))) {
        const where = `call ${call.number} of ${calls.length}, ${call.operation}, ${name}`;
        const given = await ask(asked, {
          ...patient,
          plan: ({ number }) => (number === call.number ? fault : undefined),
        });
        const stateNow = await restore();
        expect(shown(given.reply, stateNow), where).toBe(shown(reply, state));
        // The request runs once more from the start, in its turn. Taking and leaving a turn are two calls.
        expect(given.calls.length, where).toBeLessThanOrEqual(2 * calls.length + 3);
        expect(changesTo(stateNow), where).toEqual(left);
      }
    }
  });
});
