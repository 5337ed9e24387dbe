import { describe, expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { unpackItem } from '#kernel/table/image.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  type Consumer,
  consume,
  consumer,
  type ItemChange,
  readChanges,
  type StreamRecord,
} from '#kernel/table/stream.ts';
import { graveOf, tombstoneOf } from '#kernel/table/tombstone.ts';
import { listConsumers, streamWork } from '#registry.ts';
import { house, roomOf } from '../../../house/sources.ts';
import { noFault } from '../../../reports/world.ts';
import { changesOf, type Image, lifeOf, releasedImages } from '../../../support/changes.ts';
import { changeRecord } from '../../../support/counted.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

import { tableOfFile } from '../../../support/listed.ts';

const lives = releasedImages.flatMap(lifeOf);

describe('the reader of changes', () => {
  test('parses a record once for all consumers', async () => {
    const parsed: string[] = [];
    const project = uniqueId('proj_');
    const records = lives.map(({ dynamodb = {} }): StreamRecord => {
      const { OldImage, NewImage, Keys = {}, ...more } = dynamodb;
      const own = { ...Keys, pk: { S: Keys.pk?.S?.replace(/^[^#]+/, project) ?? '' } };
      const id = `${own.pk.S} ${Keys.sk?.S}`;
      const read = (image: Image | undefined, side: string) => {
        parsed.push(`${side} ${id}`);
        return image;
      };
      return {
        dynamodb: {
          ...more,
          Keys: own,
          get OldImage() {
            return read(OldImage, 'before');
          },
          get NewImage() {
            return read(NewImage, 'after');
          },
        },
      };
    });
    const changes = changesOf(records);
    expect(parsed).toHaveLength(2 * records.length);
    const { queues } = testDependencies();
    const table = tableOfFile();
    await streamWork().handOver(changes, { queues, table });
    await countRecords(table, uniqueId('shard'), changes.slice(0, 4));
    expect(findFacts(changes, () => undefined)).not.toEqual([]);
    expect(parsed).toHaveLength(2 * records.length);
  });

  test('hands every consumer the same change, and only changes of its kinds', () => {
    const seen: Record<string, ItemChange[]> = {};
    const spy = (name: string, names: readonly string[]): Consumer<ItemChange> => ({
      name,
      kinds: names,
      read: (change) => {
        seen[name] = [...(seen[name] ?? []), change];
        return [change];
      },
    });
    // The release's calls made no delivery.
    const delivery = lifeOf({ pk: { S: 'p#WEBHOOK#wh_1' }, sk: { S: 'WEBHOOK_DELIVERY' } });
    const changes = changesOf([...lives, ...delivery]);
    for (const { name, kinds: own } of listConsumers()) consume(spy(name, own), changes);
    for (const { name, kinds: own } of listConsumers()) {
      const expected = changes.filter(({ kind }) => own.includes(kind));
      expect(seen[name]?.every((change, index) => change === expected[index])).toBe(true);
      expect(seen[name]).toHaveLength(expected.length);
      expect(expected).not.toEqual([]);
    }
    expect(changes).toEqual(changesOf([...lives, ...delivery]));
  });

  test('says of a change what it was before and after, and when', () => {
    const item = { pk: 'p#ORDER#1', sk: 'ORDER', kind: 'ORDER', project: 'p', lots: [{ points: 5 }], note: null };
    const [change] = changesOf([changeRecord(7, { before: { ...item, lots: [] }, after: item })]);
    expect(change).toMatchObject({
      kind: 'ORDER',
      key: { pk: 'p#ORDER#1', sk: 'ORDER' },
      before: { lots: [] },
      after: item,
      sequence: '7',
      isCopy: false,
    });
    const [, , , removed] = changesOf(lifeOf({ pk: { S: 'p#ORDER#1' }, sk: { S: 'ORDER' } }));
    expect(removed).toMatchObject({ after: undefined, at: testTime });
  });

  test('carries an item through a message without a loss', () => {
    for (const { packed, after } of changesOf(lives)) {
      if (packed.after) expect(unpackItem(JSON.parse(JSON.stringify(packed.after)))).toEqual(after);
    }
  });

  test('leaves tombstones out that only keep a key, and shows them as what the table holds', () => {
    const key = { pk: 'p#CAMPAIGN#1', sk: 'CAMPAIGN' };
    const [grave, never] = [graveOf(testTime), tombstoneOf(testTime)];
    const read = (sides: Parameters<typeof changeRecord>[1]) => changesOf([changeRecord(1, sides)]);
    expect(read({ before: { ...key, ...grave }, after: { ...key, ...never } })).toEqual([]);
    const removed = { ...key, ...grave, last_request: 'at id' };
    expect(read({ before: { ...key, id: 'camp_1' }, after: removed })).toMatchObject([
      { before: { id: 'camp_1' }, after: undefined, stored: { after: { last_request: 'at id' } } },
    ]);
    expect(read({ before: removed, after: { ...key, id: 'camp_1' } })).toMatchObject([
      { before: undefined, after: { id: 'camp_1' } },
    ]);
  });

  test('finds nothing wrong with any item of the release', () => {
    expect(readChanges(lives, noFault)).toHaveLength(lives.length);
  });

  test('counts a malformed attribute as absent, names it in the log, and reads the other records as before', () => {
    const faults: { kind: string; error: unknown }[] = [];
    const entry = { pk: 'p#VOUCHER#v_1', sk: 'LEDGER#1', kind: 'LEDGER', type: 'POINTS_ACCRUAL', points: 'secret' };
    const records = [changeRecord(1, { after: entry }), changeRecord(2, { after: { ...entry, points: 5 } })];
    const changes = readChanges(records, (fault) => faults.push(fault));
    expect(changes.map(({ after }) => [after?.type, after?.points])).toEqual([
      ['POINTS_ACCRUAL', undefined],
      ['POINTS_ACCRUAL', 5],
    ]);
    expect(faults).toMatchObject([{ kind: 'LEDGER', error: { cause_message: 'stored item is malformed at points' } }]);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  test('passes kinds over that no consumer knows, such as a newer deployment writes', () => {
    const changes = changesOf([changeRecord(1, { after: { pk: 'p#WALL#1', sk: 'WALL', kind: 'WALL', points: 'x' } })]);
    const ledgers = consumer('ledgers', { [kinds.ledger]: ({ kind }) => [kind] });
    expect(changes.map(({ kind }) => kind)).toEqual(['WALL']);
    expect(consume(ledgers, changes)).toEqual([]);
    expect(listConsumers().filter((one) => one.kinds.includes('WALL'))).toEqual([]);
  });
});

test('only the table reads how the stream writes items', () => {
  const told = /\b(?:NewImage|OldImage|unmarshall|AttributeValue)\b/;
  const outside = house.filter(({ path, text }) => roomOf(path) !== 'lib/kernel/table' && told.test(text));
  expect(outside.map(({ path }) => path)).toEqual([]);
});
