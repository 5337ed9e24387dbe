import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cards } from '#engine/ledger/card.ts';
import { stripKey } from '#kernel/table/keys.ts';
import type { RawTable } from '#kernel/table/raw-items.ts';
import { copyMissing, leftByReplace, replaceAll } from '../../../infra/operator/restore/copy.ts';
import { clientWith } from '../../support/client.ts';
import { entry, ledgerOf } from '../../support/loyalty.ts';
import { operate } from '../../support/operator.ts';
import { contentOf, newShop } from '../../support/restore-shop.ts';
import { itemsIn, lose, spoil } from '../../support/two-tables.ts';

const everything = { kinds: [] };

const ofCards = (kind: string) => kind === 'LEDGER' || kind === 'VOUCHER';

/** Lets a table carry out this many writes, and then no more. */
function dyingAfter(table: RawTable, writes: number): RawTable {
  let left = writes;
  const dynamodb = clientWith(table.dynamodb, (command, real) => {
    if (!/PutItem|DeleteItem/.test(command.constructor.name)) return real();
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : real();
  });
  return { ...table, dynamodb };
}

describe('npm run restore', () => {
  test('check counts items by kind and finds each card in agreement with its ledger', async () => {
    const { run, live } = await newShop();
    const { code, stdout, stderr } = await run('check');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('VOUCHER\titems\t43\n');
    expect(stdout).toContain(`${live.tableName}: 3 cards agree with their 5 entries`);
  });

  test('check names a balance that no ledger explains, a lost entry, and entries without a card', async () => {
    const { run, club, live, side } = await newShop();
    const { id } = await club.voucher('GIFT');
    await spoil(live, stripKey(cards(club.project.id, id)), 'gift_balance', 5);
    const { id: bo } = await club.voucher('BO');
    await lose(live, (kind, { code, sequence }) => kind === 'LEDGER' && code?.S === 'BO' && sequence?.N === '1');
    await lose(live, (kind, { code }) => kind === 'VOUCHER' && code?.S === 'ADA');
    const { code, stderr } = await run('check');
    expect(code).toBe(1);
    expect(stderr).toContain(`${id}: the ledger ends with 907, and the card has 5`);
    expect(stderr).toContain(`${bo}: 1 entries, and the card counts 2`);
    expect(stderr).toContain('2 entries of ledgers belong to no card');
    expect(await run('check', side.tableName)).toMatchObject({ code: 0 });
  });

  test('compare counts missing, different and additional items of the table in use, and writes nothing', async () => {
    const { run, change, live, side } = await newShop();
    await lose(live, (kind) => kind === 'LEDGER');
    await change('OFF-1', { changed: true });
    const before = await contentOf(live);
    const { code, stdout } = await run('compare', side.tableName);
    expect(code).toBe(0);
    expect(stdout).toContain('LEDGER\tmissing\t5\n');
    expect(stdout).toContain('VOUCHER\tchanged\t1\n');
    expect(await contentOf(live)).toEqual(before);
  });

  test('copy restores lost cards with their ledgers, and keeps later writes', async () => {
    const { run, change, club, live, side } = await newShop();
    await change('OFF-1', { kept: 'this' });
    expect(await lose(live, (kind, { code }) => ofCards(kind) && code?.S !== 'OFF-1')).toBe(47);
    expect(await run('copy', side.tableName, '--kind', 'VOUCHER', '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('LEDGER\tto put\t5\nVOUCHER\tto put\t42\nNothing was written.'),
    });
    const copied = await run('copy', side.tableName, '--kind', 'VOUCHER');
    expect(copied).toMatchObject({ code: 0, stdout: 'LEDGER\tput\t5\nVOUCHER\tput\t42\nDone.\n' });
    expect((await club.voucher('OFF-1')).metadata).toEqual({ kept: 'this' });
    expect(await club.balance('ADA')).toBe(600);
    expect(await ledgerOf(club, 'ADA')).toHaveLength(2);
    expect(await run('check')).toMatchObject({ code: 0 });
    expect(await run('copy', side.tableName, '--kind', 'VOUCHER')).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(await club.transfer('ADA', [entry('BO', 10)])).toMatchObject({ status: 200 });
    expect(await run('check')).toMatchObject({ code: 0 });
  });

  test('replace undoes all later losses, changes and additions', async () => {
    const { run, change, club, live, side } = await newShop();
    await change('OFF-1', { changed: true });
    await club.transfer('ADA', [entry('BO', 10)]);
    await lose(live, (kind, { code }) => kind === 'VOUCHER' && code?.S === 'OFF-2');
    const { code, stdout, stderr } = await run('replace', side.tableName, '--stopped');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('LEDGER\tremoved\t2\n');
    expect(stdout).toContain('VOUCHER\treplaced\t3\n');
    expect(await contentOf(live)).toEqual(await contentOf(side));
    expect(await run('replace', side.tableName, '--stopped')).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test.each([
    [['copy', 'side'], 2, 'copy needs --kind'],
    [['replace', 'side'], 2, 'add --stopped'],
    [['begin', 'side'], 2, 'begin needs --at TIME'],
    [['begin', 'side', '--at', 'yesterday'], 2, '"yesterday" is not a time'],
    [['compare'], 2, 'SIDE is required'],
    [['compare', 'side', '--stopped'], 2, 'compare has no option --stopped'],
    [['back'], 2, '"back" is none of begin, check, compare, copy, replace'],
    [['compare', 'no-such-table'], 1, 'SIDE: the table no-such-table does not exist'],
  ])('%j is refused', async (args, code, words) => {
    expect(await operate('restore', args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  });
});

describe('a copy', () => {
  test('continues after a kill when it is started again', async () => {
    const { pair, live, side } = await newShop();
    await lose(live, ofCards);
    const scope = { kinds: ['VOUCHER'] };
    await expect(copyMissing({ ...pair, live: dyingAfter(live, 20) }, scope)).rejects.toThrow('killed');
    const rest = await copyMissing(pair, scope);
    expect(rest.of('put')).toBeLessThan(48);
    expect(await contentOf(live)).toEqual(await contentOf(side));
  });

  test('keeps an item that was written under the same key between comparison and write', async () => {
    const { pair, club, live } = await newShop();
    await lose(live, (kind, { code }) => kind === 'VOUCHER' && code?.S === 'OFF-3');
    const racing = clientWith(live.dynamodb, async (command, real) => {
      if (command.constructor.name === 'PutItemCommand') {
        const { id } = await idOf(pair.side, 'OFF-3');
        await spoil(live, stripKey(cards(club.project.id, id)), 'code', 'NEWER');
      }
      return real();
    });
    const counts = await copyMissing({ ...pair, live: { ...live, dynamodb: racing } }, { kinds: ['VOUCHER'] });
    expect(counts.lines).toBe('VOUCHER\tleft: written meanwhile\t1\n');
    expect((await itemsIn(live)).filter(({ code }) => code?.S === 'NEWER')).toHaveLength(1);
  });

  test('puts no entry for a card that was deleted or created again since', async () => {
    const { pair, club, live } = await newShop();
    await lose(live, (kind) => kind === 'LEDGER');
    const [ada, bo] = await Promise.all(['ADA', 'BO'].map((code) => idOf(pair.side, code)));
    const keyOfCard = (id = '') => stripKey(cards(club.project.id, id));
    await spoil(live, keyOfCard(ada?.id), 'deleted_at', '2026-06-15T12:00:00.000Z');
    await spoil(live, keyOfCard(bo?.id), 'created_at', '2027-01-01T00:00:00.000Z');
    const { lines } = await copyMissing(pair, { kinds: ['LEDGER'] });
    expect(lines).toBe('LEDGER\tleft: owner created again\t2\nLEDGER\tleft: owner deleted\t2\nLEDGER\tput\t1\n');
  });

  test('restores keys and tokens only if they are named', async () => {
    const { pair, live } = await newShop();
    expect(await lose(live, (kind) => kind === 'APP_KEY')).toBeGreaterThan(0);
    expect((await replaceAll(pair, everything)).lines).toBe('');
    expect((await copyMissing(pair, { kinds: ['APP_KEY'] })).of('put')).toBeGreaterThan(0);
  });
});

test('replace keeps an item that was written after the comparison, and reports it', async () => {
  const { pair, change, club, live, side } = await newShop();
  await change('OFF-1', { changed: true });
  await change('OFF-2', { changed: true });
  const { id } = await idOf(side, 'OFF-1');
  const racing = clientWith(live.dynamodb, async (command, real) => {
    if (isDeepStrictEqual(Object(command.input.Item).code, { S: 'OFF-1' })) {
      await spoil(live, stripKey(cards(club.project.id, id)), 'updated_at', '2027-01-01T00:00:00.000Z');
    }
    return real();
  });
  const counts = await replaceAll({ ...pair, live: { ...live, dynamodb: racing } }, everything);
  expect([counts.of(leftByReplace), counts.of('replaced')]).toEqual([1, 1]);
  expect((await club.voucher('OFF-1')).metadata).toEqual({ changed: true });
});

/** Finds the voucher of a code in a table. */
async function idOf(table: RawTable, code: string): Promise<{ id: string }> {
  const item = (await itemsIn(table)).find((one) => one.code?.S === code && one.kind?.S === 'VOUCHER');
  return { id: item?.id?.S ?? '' };
}
