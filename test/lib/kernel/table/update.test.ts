import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { kind } from '#kernel/table/kind.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const pebbles = kind('PEBBLE', v.looseObject({}));

async function changed(update: Update): Promise<unknown> {
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const key = pebbles(uniqueId('proj_'), 'p1');
  await table.insert(key, { size: 1, colour: 'grey', marks: { left: 1 } });
  const outcome = await table.change(key, update.build());
  return outcome.done && outcome.item;
}

describe('among two changes of one place', () => {
  test.each<[string, Update, object]>([
    ['two values, the last', new Update().set(['size'], 2).set(['size'], 3), { size: 3 }],
    ['a value after its removal', new Update().remove(['size']).set(['size'], 4), { size: 4 }],
    ['further inwards', new Update().set(['marks', 'left'], 2).set(['marks', 'left'], 5), { marks: { left: 5 } }],
  ])('%s holds', async (_, update, expected) => {
    expect(await changed(update)).toMatchObject(expected);
  });

  test('its removal after a value holds', async () => {
    expect(await changed(new Update().set(['size'], 2).remove(['size']))).not.toHaveProperty('size');
  });
});

test.each<[string, Update, boolean]>([
  ['an equal number', new Update().set(['seen'], true).whenAtMost('size', 1), true],
  ['a larger number', new Update().set(['seen'], true).whenAtMost('size', 0), false],
  ['a missing number, for 0', new Update().set(['seen'], true).whenAtMost('depth', 0), true],
  ['a missing number, for less than 0', new Update().set(['seen'], true).whenAtMost('depth', -1), false],
  ['an existing attribute', new Update().set(['seen'], true).whenHas('marks'), true],
  ['a missing attribute', new Update().set(['seen'], true).whenHas('depth'), false],
])('a bound or a presence is a condition: %s', async (_, update, isMet) => {
  expect(Boolean(await changed(update))).toBe(isMet);
});

test.each<[string, Update]>([
  ['a place and another inside it', new Update().set(['marks'], {}).set(['marks', 'left'], 1)],
  ['a value and a sum', new Update().set(['size'], 1).add('size', 1)],
  ['a removal and a sum', new Update().remove(['size']).add('size', 1)],
])('%s are refused before any engine sees them', (_, update) => {
  expect(() => update.build()).toThrow('overlap');
});
