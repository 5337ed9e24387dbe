import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPackDue } from '#addons/reports/facts/pack/pack-note.ts';
import { openEngine, quote } from '../../infra/local/facts/duckdb.ts';
import { breaking, openPacker } from './fact-bucket.ts';
import { redemption } from './facts.ts';

type Packer = Awaited<ReturnType<typeof openPacker>>;

const at = (time: string) => ({ at_ms: Date.parse(time) });

/** Returns the ids of packed facts, each once, as queries count them. */
async function countedIds({ packed }: Packer): Promise<string[]> {
  return [...new Set((await packed()).map(({ row }) => String(row.fact_id)))].sort();
}

const keysIn = async ({ bucket }: Packer, prefix: string) => (await bucket.list(prefix)).map(({ key }) => key);

describe('a pack', () => {
  test('writes a file for each table, project and day, which another engine reads alike', async () => {
    const packer = await openPacker();
    const odd = `it's\n"odd", ${'\u0000'} 🎁`;
    await packer.deliver([
      redemption('r_1', { code: odd, campaign_id: null }),
      redemption('r_2', at('2026-06-02T00:00:00.000Z')),
      redemption('r_3', {}, 'other'),
    ]);
    expect(await packer.pack()).toEqual({ facts: 3, malformed: 0, written: 3, isDone: true });
    const keys = await keysIn(packer, 'packed/');
    expect(keys.map((key) => key.slice(0, key.lastIndexOf('/')))).toEqual([
      'packed/redemptions/project=other/day=2026-06-01',
      'packed/redemptions/project=proj/day=2026-06-01',
      'packed/redemptions/project=proj/day=2026-06-02',
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'tessera-packed-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'one.parquet'), (await packer.bucket.read(keys[1] ?? '')) ?? '');
    const instance = await openEngine(folder);
    const connection = await instance.connect();
    const found = await connection.runAndReadAll(`SELECT * FROM read_parquet(${quote(join(folder, 'one.parquet'))})`);
    const { row } = redemption('r_1', { code: odd, campaign_id: null });
    const expected = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? BigInt(value) : value,
    ]);
    expect(found.getRowObjectsJS()).toEqual([Object.fromEntries(expected)]);
    connection.closeSync();
    instance.closeSync();
  });

  test('counts a fact once that comes twice, late, in another order, or beside half a line', async () => {
    const packer = await openPacker();
    await packer.deliver([redemption('r_2'), redemption('r_1'), redemption('r_1')], '{"fact_table":"redemp');
    expect(await packer.pack()).toMatchObject({ facts: 3, malformed: 1 });
    await packer.deliver([redemption('r_1'), redemption('r_3')]);
    await packer.pack();
    expect(await countedIds(packer)).toEqual(['r_1', 'r_2', 'r_3']);
  });

  test('joins small files of a partition, and removes replaced files once no query can read them', async () => {
    const packer = await openPacker();
    await packer.deliver([redemption('r_1')]);
    await packer.pack();
    await packer.deliver([redemption('r_2')]);
    await packer.pack();
    // The first file stays for queries that have listed it.
    expect([await keysIn(packer, 'packed/'), await keysIn(packer, 'fresh/')]).toMatchObject([
      { length: 2 },
      { length: 2 },
    ]);
    packer.clock.advance(3_600);
    await packer.pack();
    expect([await keysIn(packer, 'packed/'), await keysIn(packer, 'fresh/')]).toMatchObject([
      { length: 1 },
      { length: 0 },
    ]);
    expect((await packer.packed()).map(({ row }) => row.fact_id).sort()).toEqual(['r_1', 'r_2']);
    expect(await packer.pack()).toMatchObject({ facts: 0, written: 0, isDone: true });
  });

  test('puts facts of odd days into one partition, which every query reads', async () => {
    const packer = await openPacker();
    const days = ['1970-01-01T00:00:00.000Z', '2019-12-31T23:59:59.999Z', '2031-01-01T00:00:00.000Z'];
    await packer.deliver(days.map((time, index) => redemption(`r_${index}`, at(time))));
    await packer.pack();
    expect(new Set((await packer.packed()).map(({ folder }) => folder))).toEqual(
      new Set(['redemptions/project=proj/day=2020-01-01']),
    );
  });

  test('removes the facts of deleted projects, and of no other', async () => {
    const packer = await openPacker(['other']);
    await packer.deliver([redemption('r_1'), redemption('r_2', {}, 'other'), redemption('r_3', {}, 'other2')]);
    await packer.pack();
    expect((await packer.packed()).map(({ row }) => row.fact_id)).toEqual(['r_3', 'r_1']);
  });

  test('writes a file of its own for each part of a long backlog, at whatever time', async () => {
    const packer = await openPacker();
    await packer.deliver([redemption('r_1')]);
    await packer.deliver([redemption('r_2')]);
    expect(await packer.pack(undefined, undefined, 1)).toMatchObject({ facts: 2, written: 2, isDone: true });
    expect(await countedIds(packer)).toEqual(['r_1', 'r_2']);
  });

  test('never takes facts away from a file that it writes again, even if its note was lost', async () => {
    const packer = await openPacker();
    await packer.deliver([redemption('r_1')]);
    await packer.pack();
    const [small = ''] = await keysIn(packer, 'packed/');
    const [first = ''] = await keysIn(packer, 'fresh/');
    await packer.deliver([redemption('r_2')]);
    await packer.pack();
    await packer.bucket.remove([small, first, 'notes/packs.json']);
    await packer.pack();
    expect(await countedIds(packer)).toEqual(['r_1', 'r_2']);
  });

  test('ends in time, and the next one continues', async () => {
    const packer = await openPacker();
    await packer.deliver([redemption('r_1')]);
    expect(await packer.pack(undefined, () => true)).toMatchObject({ facts: 0, isDone: false });
    expect(await packer.pack()).toMatchObject({ facts: 1, isDone: true });
  });

  test('is due at once while something is left, and an hour after all was packed', async () => {
    const packer = await openPacker();
    const isDue = () => isPackDue(packer.bucket, packer.clock());
    expect(await isDue()).toBe(true);
    await packer.pack();
    expect(await isDue()).toBe(false);
    packer.clock.advance(3_600);
    expect(await isDue()).toBe(true);
    await packer.deliver([redemption('r_1')]);
    await packer.deliver([redemption('r_2')]);
    let plans = 0;
    await packer.pack(undefined, () => plans++ > 0, 1);
    expect(await isDue()).toBe(true);
    await packer.pack();
    expect([await isDue(), await countedIds(packer)]).toEqual([false, ['r_1', 'r_2']]);
  });
});

test('a pack that is killed at any call loses no fact, and doubles none that queries count', async () => {
  for (let calls = 0; ; calls++) {
    const packer = await openPacker();
    await packer.deliver([redemption('r_1'), redemption('p_1', {}, 'other')]);
    await packer.pack();
    packer.clock.advance(3_600);
    await packer.deliver([redemption('r_2'), redemption('p_2', {}, 'other')]);
    const ended = await packer.pack(breaking(packer.bucket, calls)).catch(() => undefined);
    await packer.deliver([redemption('r_3')]);
    await packer.pack();
    packer.clock.advance(3_600);
    await packer.pack();
    expect(await countedIds(packer), `killed after ${calls} calls`).toEqual(['p_1', 'p_2', 'r_1', 'r_2', 'r_3']);
    expect(await keysIn(packer, 'fresh/')).toEqual([]);
    // A repeated pack writes the same files again, so nothing stays twice either.
    expect(await packer.packed(), `killed after ${calls} calls`).toHaveLength(5);
    if (ended) break;
  }
});

test('two packs at once lose no fact', async () => {
  const packer = await openPacker();
  await packer.deliver([redemption('r_1'), redemption('p_1', {}, 'other')]);
  await Promise.all([packer.pack(), packer.pack()]);
  await packer.deliver([redemption('r_2')]);
  await Promise.all([packer.pack(), packer.pack()]);
  packer.clock.advance(3_600);
  await packer.pack();
  expect(await countedIds(packer)).toEqual(['p_1', 'r_1', 'r_2']);
});
