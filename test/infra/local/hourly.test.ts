import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runHourly } from '../../../infra/local/hourly.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const anHourInMs = 3_600_000;

test('work is done at once and each hour, until it is stopped', async () => {
  let runs = 0;
  const { stop } = runHourly(async () => {
    runs += 1;
  });
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(3 * anHourInMs);
  expect(runs).toBe(4);
  await stop();
  await vi.advanceTimersByTimeAsync(3 * anHourInMs);
  expect(runs).toBe(4);
});

test('work of more than an hour never runs twice at the same time', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const { stop } = runHourly(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  });
  await vi.advanceTimersByTimeAsync(2 * anHourInMs);
  expect([ends.length, most]).toEqual([1, 1]);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(anHourInMs);
  expect([ends.length, most]).toEqual([2, 1]);
  ends[1]?.();
  await stop();
});

test('a stop tells the work that its time is up, and waits for its end', async () => {
  let tellTime = () => false;
  let end = () => {};
  let ended = false;
  const { stop } = runHourly(async (isTimeUp) => {
    tellTime = isTimeUp;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    ended = true;
  });
  expect(tellTime()).toBe(false);
  const stopped = stop();
  expect([tellTime(), ended]).toEqual([true, false]);
  end();
  await stopped;
  expect(ended).toBe(true);
});
