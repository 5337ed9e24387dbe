import { expect, test } from 'vitest';
import { awaitLater } from '#kernel/core/await-later.ts';

const failing = () => Promise.reject(new Error('of its own'));

test('work that begins early may fail while nobody waits for it', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const late = awaitLater(failing());
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await expect(late).rejects.toThrow('of its own');
});

test('a caller that waits still gets the failure', async () => {
  expect(await awaitLater(Promise.resolve(5))).toBe(5);
});
