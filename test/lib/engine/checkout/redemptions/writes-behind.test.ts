import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { behindParts, keepWritesBehind, makeWritesBehind } from '#engine/checkout/redemptions/writes-behind.ts';
import { amend, change, commit, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { clientWith, isTransaction } from '../../../../support/client.ts';
import { patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';

/** The records and counts of a large redemption follow its transaction, each once. */

const { dynamodb, tableName } = testDependencies();
const counter = kind('LIMIT', v.object({ count: v.optional(v.number(), 0) }));
const record = kind('RECORD', v.object({ text: v.string() }));

type Context = Parameters<typeof keepWritesBehind>[0];

function begin(client = dynamodb) {
  const project = { id: uniqueId('proj_') };
  const at = (own = client) =>
    ({ table: new Table(own, tableName, testTime, patienceOfCrowd), project, now: testTime }) as unknown as Context;
  const context = at();
  const countOf = async (id: string) => (await read(context.table, { found: counter(project.id, id) })).found?.count;
  const textOf = async (id: string) => (await read(context.table, { found: record(project.id, id) })).found?.text;
  const start = async (effects: readonly Effect[]) =>
    expect(await commit(context.table, [await keepWritesBehind(context, 'r', effects)])).toBe(true);
  return { at, context, project: project.id, countOf, textOf, start };
}

const records = (project: string, length: number) =>
  Array.from({ length }, (_, index) => insert(record(project, String(index)), { text: `record ${index}` }));

describe('effects behind a transaction', () => {
  test('are made once, also by five workers at once and by a later one', async () => {
    const { at, project, countOf, textOf, start } = begin();
    await start([
      ...records(project, 150),
      amend(counter(project, 'a'), { add: { count: 1 } }),
      amend(counter(project, 'a'), { add: { count: 2 } }),
    ]);
    await Promise.all(Array.from({ length: 5 }, () => makeWritesBehind(at(), 'r')));
    await makeWritesBehind(at(), 'r');
    expect([await countOf('a'), await textOf('0'), await textOf('149')]).toEqual([3, 'record 0', 'record 149']);
  });

  test('continue where a dead worker ended', async () => {
    const { at, project, countOf, textOf, start } = begin();
    await start([amend(counter(project, 'a'), { add: { count: 1 } }), ...records(project, 150)]);
    let transactions = 0;
    const dying = clientWith(dynamodb, (command, send) => {
      if (isTransaction(command)) transactions += 1;
      return transactions > 1 ? Promise.reject(new Error('killed')) : send();
    });
    await expect(makeWritesBehind(at(dying), 'r')).rejects.toThrow('its reply was lost');
    expect([await countOf('a'), await textOf('149')]).toEqual([1, undefined]);
    await makeWritesBehind(at(), 'r');
    expect([await countOf('a'), await textOf('149')]).toEqual([1, 'record 149']);
  });

  test('do nothing without the transaction that starts them', async () => {
    const { context, at, project, countOf } = begin();
    await keepWritesBehind(context, 'r', [amend(counter(project, 'a'), { add: { count: 1 } })]);
    await makeWritesBehind(at(), 'r');
    expect(await countOf('a')).toBeUndefined();
  });

  test('leave out a count whose item was deleted since, and make all others', async () => {
    const { context, at, project, countOf, start } = begin();
    await commit(
      context.table,
      ['a', 'b', 'c'].map((id) => insert(counter(project, id), { count: 5 })),
    );
    await start(['a', 'b', 'c'].map((id) => amend(counter(project, id), { add: { count: -1 }, ifThere: true })));
    await commit(context.table, [remove(counter(project, 'b'), (update) => update.whenThere())]);
    await makeWritesBehind(at(), 'r');
    expect([await countOf('a'), await countOf('b'), await countOf('c')]).toEqual([4, undefined, 4]);
  });

  test('require what the item was, also that it had no such attribute', async () => {
    const { context, at, project, start } = begin();
    const [one, other] = [record(project, 'one'), record(project, 'other')];
    await commit(context.table, [insert(one, { text: 'old' }), insert(other, { text: 'old', version: 'v1' })]);
    await start([amend(one, { set: { text: 'new' }, still: { text: 'old', version: undefined }, ifThere: true })]);
    await makeWritesBehind(at(), 'r');
    expect((await read(context.table, { one })).one?.text).toBe('new');
    const late = await keepWritesBehind(context, 's', [
      amend(other, { set: { text: 'new' }, still: { version: undefined } }),
    ]);
    await commit(context.table, [late]);
    await expect(makeWritesBehind(at(), 's')).rejects.toThrow('were refused');
    expect((await read(context.table, { other })).other?.text).toBe('old');
  });

  test('are stored as data, without expressions of the table', async () => {
    const { context, project, start } = begin();
    const counted = counter(project, 'a');
    await start([
      insert(record(project, '0'), { text: 'hello' }),
      amend(counted, { add: { count: -1 }, ifThere: true }),
      amend(counted, { add: { count: 3 } }),
    ]);
    const { part } = await read(context.table, { part: behindParts(project, 'r', '0') });
    expect(part?.writes).not.toMatch(/[#:]\w+ =|attribute_(not_)?exists|\b(SET|ADD) /);
    const { pk, sk } = counted;
    const [first, second, third] = JSON.parse(`[${part?.writes}]`);
    expect(first.insert).toMatchObject({ text: 'hello', kind: 'RECORD', project });
    expect(second).toEqual({ key: { pk, sk }, amend: { add: { count: -1 }, judged: [], ifThere: true } });
    expect(third).toEqual({ key: { pk, sk }, amend: { add: { count: 3 }, judged: [] } });
  });

  test('cannot depend on what an item is at the moment', async () => {
    const { context, project } = begin();
    const conditional = change(counter(project, 'a'), (update) => update.whenThere().add('count', 1));
    await expect(keepWritesBehind(context, 'r', [conditional])).rejects.toThrow('only inserts and amendments');
  });
});
