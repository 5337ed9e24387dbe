import { describe, expect, test } from 'vitest';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as deleteRule } from '../../functions/loyalties/delete-earning-rule.ts';
import { handler as disable } from '../../functions/loyalties/disable-earning-rule.ts';
import { handler as enable } from '../../functions/loyalties/enable-earning-rule.ts';
import { handler as getRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as listRules } from '../../functions/loyalties/list-earning-rules.ts';
import { handler as listOfTier } from '../../functions/loyalties/list-loyalty-tier-earning-rules.ts';
import { handler as listTiers } from '../../functions/loyalties/list-loyalty-tiers.ts';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { handler as listAssignments } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { every, fixed, newWorld, paid, path, proportional, visit } from '../support/earning-rules.ts';

describe('earning rules', () => {
  test('are listed by pages, the oldest first', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit(), paid(fixed()), visit());
    const ids = body.map(({ id }: { id: string }) => id);
    const listed = async (query: string) =>
      (await ask(listRules, path, { query })).body.data.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual(ids);
    expect(await listed('order=-created_at&limit=2&page=2')).toEqual([ids[0]]);
  });

  test('change only by the sent fields, and the event stays', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(
      visit({ validation_rule_id: 'val_any', pending_points: { period_value: 3 }, metadata: { a: 1, b: 2 } }),
    );
    const rule = { ...path, earningRuleId: body[0].id };
    const sent = { event: 'order.paid', loyalty: fixed(9), metadata: { b: 3 }, source: { banner: 'Nine' } };
    const changed = await ask(updateRule, rule, { body: sent });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      event: 'visit',
      loyalty: fixed(9),
      metadata: { a: 1, b: 3 },
      validation_rule_id: 'val_any',
      pending_points: { period_value: 3 },
      updated_at: '2026-06-15T12:00:00.000Z',
    });
    const cleared = await ask(updateRule, rule, {
      body: { pending_points: null, validation_rule_id: null, source: null },
    });
    expect(cleared.body).toMatchObject({ validation_rule_id: null });
    expect(cleared.body.pending_points).toBeUndefined();
    expect((await ask(getRule, rule)).body).toEqual(cleared.body);
    const refused = await ask(updateRule, rule, {
      body: {
        loyalty: proportional('ORDER_AMOUNT', { order: { amount: every } }),
        validity_timeframe: { interval: 'P1D', duration: 'P1D' },
      },
    });
    expect(refused.body.details).toContain('loyalty must not measure an order');
    expect(refused.body.details).toContain('validity_timeframe needs a start_date');
  });

  test.each([
    ['does not exist', 'val_x', 404, 'not_found'],
    ['is of another context', 'val_coupon', 400, 'invalid_payload'],
  ])(
    'are refused at creation and update if their validation rule %s, and the error has its id',
    async (_, id, code, key) => {
      const { ask, create } = await newWorld();
      const body = { validation_rule_id: id };
      const naming = { code, key, resource_id: id, resource_type: 'validation_rules' };
      expect((await create(visit(body))).body).toMatchObject(naming);
      const { body: made } = await create(visit());
      expect((await ask(updateRule, { ...path, earningRuleId: made[0].id }, { body })).body).toMatchObject(naming);
    },
  );

  test('keep all of twenty simultaneous changes', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit());
    const rule = { ...path, earningRuleId: body[0].id };
    const changes = Array.from({ length: 20 }, (_, index) => ({ metadata: { [`m${index}`]: index } }));
    const done = await Promise.all(changes.map((change) => ask(updateRule, rule, { body: change })));
    expect(done.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(Object.keys((await ask(getRule, rule)).body.metadata)).toHaveLength(20);
  });

  test('are disabled and enabled', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit({ validation_rule_id: 'val_any' }));
    const rule = { ...path, earningRuleId: body[0].id };
    expect((await ask(enable, rule)).body).toEqual(body[0]);
    const off = await ask(disable, rule);
    expect([off.status, off.body.active, off.body.validation_rule_id]).toEqual([200, false, 'val_any']);
    expect((await ask(disable, rule)).body).toEqual(off.body);
    expect((await ask(enable, rule)).body.active).toBe(true);
  });

  test('are deleted with everything that knows them', async () => {
    const { ask, create, kinds } = await newWorld();
    const { body } = await create(visit({ validation_rule_id: 'val_any' }));
    const earningRuleId = body[0].id;
    const map = { earning_rules: { [earningRuleId]: { type: 'MULTIPLY', multiplier: 2 } } };
    await ask(createTiers, path, { body: [{ name: 'A', points: { from: 0 }, ...map }] });
    const gone = await Promise.all(Array.from({ length: 5 }, () => ask(deleteRule, { ...path, earningRuleId })));
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect((await ask(listTiers)).body.data[0].earning_rules).toEqual({});
    expect((await ask(listAssignments, { validationRuleId: 'val_any' })).body.total).toBe(0);
    expect(await kinds()).not.toContain('EARNING_PROGRAMME');
    expect(await kinds()).not.toContain('RULES_OF_OBJECT');
  });

  test('are shown multiplied in a tier that multiplies them, and unchanged in one with points of its own', async () => {
    const { ask, create } = await newWorld();
    const { body } = await create(visit(), paid(proportional('ORDER_AMOUNT', { order: { amount: every } })), visit());
    const [one, two, three] = body.map(({ id }: { id: string }) => id);
    const earning_rules = {
      [one]: { type: 'MULTIPLY', multiplier: 1.5 },
      [two]: { type: 'MULTIPLY', multiplier: 3 },
      [three]: { type: 'CUSTOM', points: 200 },
    };
    const made = await ask(createTiers, path, { body: [{ name: 'A', points: { from: 0 }, earning_rules }] });
    const listed = await ask(listOfTier, { ...path, loyaltyTierId: made.body[0].id });
    expect(listed.body.data.map(({ loyalty }: { loyalty: object }) => loyalty)).toEqual([
      fixed(7),
      proportional('ORDER_AMOUNT', { order: { amount: { every: 100, points: 6 } } }),
      fixed(5),
    ]);
  });
});
