import { expect, test } from 'vitest';
import { Lanes } from '../../../infra/local/lanes.ts';

/** Makes lanes whose work ends when the test says so. */
function open({ atOnce = 10, perReceiver = 3, waiting = 20, ...more }: { [limit: string]: number } = {}) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const lanes = new Lanes<string>({ atOnce, perReceiver, waiting, ...more }, (item) => {
    started.push(item);
    return new Promise((resolve) => ends.set(item, resolve));
  });
  /** Ends work, and lets what waits for it begin. */
  const end = async (item: string) => {
    const ended = lanes.oneFreed();
    ends.get(item)?.();
    await ended;
    await Promise.resolve();
  };
  return { lanes, started, end };
}

test('a receiver whose work does not end keeps no work of another receiver', async () => {
  const { lanes, started, end } = open();
  for (let index = 0; index < 20; index++) lanes.add('slow', `slow-${index}`);
  for (let index = 0; index < 5; index++) lanes.add('quick', `quick-${index}`);
  expect(started).toEqual(['slow-0', 'slow-1', 'slow-2', 'quick-0', 'quick-1', 'quick-2']);
  await end('quick-0');
  await end('quick-1');
  expect(started.slice(6)).toEqual(['quick-3', 'quick-4']);
  await end('slow-1');
  expect(started.at(-1)).toBe('slow-3');
});

test('receivers take turns where all together have no more room', async () => {
  const { lanes, started, end } = open({ atOnce: 1 });
  for (const item of ['a-0', 'a-1', 'a-2', 'b-0', 'b-1']) lanes.add(item.slice(0, 1), item);
  for (const item of ['a-0', 'b-0', 'a-1', 'b-1', 'a-2']) {
    expect(lanes.isFree).toBe(false);
    expect(started.at(-1)).toBe(item);
    await end(item);
  }
  expect([lanes.isFree, started.length]).toEqual([true, 5]);
});

test('receivers whose work does not end take no last place, for any number of their messages', async () => {
  const { lanes, started, end } = open({ atOnce: 10, perReceiver: 3, kept: 4 });
  const hanging = ['a', 'b', 'c', 'd'];
  for (let index = 0; index < 20; index++) for (const name of hanging) lanes.add(name, `${name}-${index}`);
  expect(
    started
      .map((item) => item.slice(0, 1))
      .toSorted()
      .join(''),
  ).toBe('aabbcd');
  expect(lanes.isFree).toBe(true);
  for (let index = 0; index < 3; index++) lanes.add('quick', `quick-${index}`);
  for (const item of ['quick-0', 'quick-1', 'quick-2']) {
    expect(started.at(-1)).toBe(item);
    await end(item);
  }
  expect(started).toHaveLength(9);
});

test('work that waits long for its receiver gives its place to others, and its receiver gets no more at once', async () => {
  const { lanes, started, end } = open({ atOnce: 2, perReceiver: 2, asideAfterMs: 1 });
  const hanging = Array.from({ length: 20 }, (_, index) => `slow${index}`);
  for (const name of hanging) for (const part of ['a', 'b', 'c']) lanes.add(name, `${name}-${part}`);
  while (started.length < 2 * hanging.length) await lanes.oneFreed();
  while (!lanes.isFree) await lanes.oneFreed();
  lanes.add('quick', 'quick');
  expect(started.at(-1)).toBe('quick');
  await end('slow7-a');
  while (started.at(-1) === 'quick') await lanes.oneFreed();
  expect(started.slice(2 * hanging.length)).toEqual(['quick', 'slow7-c']);
});

test('a full lane takes no more, and another lane does', () => {
  const { lanes, started } = open({ perReceiver: 1, waiting: 2 });
  const taken = ['0', '1', '2', '3'].map((item) => lanes.add('slow', item));
  expect(taken).toEqual([true, true, true, false]);
  expect(lanes.add('quick', 'first')).toBe(true);
  expect(started).toEqual(['0', 'first']);
});

test('a stop waits for what was started, and starts nothing more', async () => {
  const { lanes, started, end } = open({ perReceiver: 1 });
  for (const item of ['first', 'second']) lanes.add('one', item);
  let isOver = false;
  const stopped = lanes.stop().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  await end('first');
  await stopped;
  expect(started).toEqual(['first']);
});
