import { expect, test } from 'vitest';
import { RequestsFirst } from '../../../infra/local/requests-first.ts';

/** Opens a process whose pauses, requests and calls end when the test says so. */
function open() {
  const pauses: (() => void)[] = [];
  const first = new RequestsFirst(() => new Promise((resolve) => pauses.push(resolve)));
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  /** Lets everything happen that waits for nothing else. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    pauses,
    request: (name: string) => first.run(work(name)),
    call: (name: string) => first.behind(work(name)),
    end: async (name: string) => {
      ends.get(name)?.();
      await settle();
    },
    pass: async () => {
      pauses.shift()?.();
      await settle();
    },
    settle,
  };
}

test('all calls of other work run immediately while no request runs', async () => {
  const { started, call } = open();
  for (const name of ['a', 'b', 'c']) call(name);
  expect(started).toEqual(['a', 'b', 'c']);
});

test('while a request runs, two calls run simultaneously, each after a pause', async () => {
  const { started, pauses, request, call, end, pass, settle } = open();
  request('till');
  for (const name of ['a', 'b', 'c', 'd']) call(name);
  await settle();
  expect([started, pauses.length]).toEqual([['till'], 2]);
  await pass();
  await pass();
  expect([started, pauses.length]).toEqual([['till', 'a', 'b'], 0]);
  // The next pause begins when a call has ended.
  await end('b');
  expect([started, pauses.length]).toEqual([['till', 'a', 'b'], 1]);
  await pass();
  expect(started).toEqual(['till', 'a', 'b', 'c']);
});

test('the end of the last request lets all waiting calls run immediately, without a pause', async () => {
  const { started, request, call, end, settle } = open();
  request('one');
  request('two');
  for (const name of ['a', 'b', 'c', 'd']) call(name);
  await end('one');
  expect(started).toEqual(['one', 'two']);
  await end('two');
  expect(started.slice(2).sort()).toEqual(['a', 'b', 'c', 'd']);
  call('e');
  await settle();
  expect(started.at(-1)).toBe('e');
});

test('a failed request or call keeps nothing waiting', async () => {
  const first = new RequestsFirst(() => Promise.resolve());
  const fail = () => Promise.reject(new Error('broken'));
  await first.run(async () => {
    await expect(first.behind(fail)).rejects.toThrow('broken');
    expect(await first.behind(async () => 'next')).toBe('next');
  });
  await expect(first.run(fail)).rejects.toThrow('broken');
  expect(await Promise.all([first.behind(async () => 'a'), first.behind(async () => 'b')])).toEqual(['a', 'b']);
});
