import { expect, test } from 'vitest';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { closing } from '../../../support/closes.ts';
import { standingClock, testDependencies } from '../../../support/dependencies.ts';
import { card, newClub } from '../../../support/loyalty.ts';
import { mortal } from '../../../support/mortal.ts';
import { deliver, messagesFor, openJobs, runOutbox } from '../../../support/outbox.ts';

const clock = standingClock(new Date('2026-07-10T12:00:00Z'));

/** More than two batches of cards. */
const number = 2_100;

async function start(size: number) {
  const created_at = '2026-05-10T00:00:00.000Z';
  const vouchers = Array.from({ length: size }, (_, index) => card(`CARD-${index}`, index + 1, { created_at }));
  const club = await newClub({ vouchers }, testDependencies({ clock }));
  const desk = closing(club);
  const { body } = await desk.start();
  const [job = {}] = await openJobs(club.project.id);
  return { club, desk, job, id: String(body.id) };
}

test('each card counts once, when workers are killed at every call and get every message twice at once', async () => {
  const { club, desk, job, id } = await start(number);
  const briefly = (left: number, isDone: boolean) =>
    runMessages(messagesFor([keyOf(job)]), { ...mortal(left, isDone), clock }, createWorks(), () => true);
  for (let left = 1; left <= 24; left++)
    await Promise.all([briefly(left, left % 2 === 0), briefly(left, left % 3 === 0)]);
  await Promise.all([deliver([job], club.dependencies), deliver([job], club.dependencies)]);
  await runOutbox(club.project.id, club.dependencies);
  const close = await desk.read(id);
  expect(close).toMatchObject({ status: 'DONE', cards_count: number });
  expect(close.months[0]?.points).toMatchObject({ opening: (number * (number + 1)) / 2 });
  const lines = await desk.statement(id);
  await deliver([job], club.dependencies);
  expect(await desk.statement(id)).toEqual(lines);
});

test('a close whose files cannot be stored ends in ERROR, and can be deleted and made again', async () => {
  const { club, desk, job, id } = await start(1);
  const files = { ...club.dependencies.files, put: () => Promise.reject(new Error('no')) };
  for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver([job], { ...club.dependencies, files });
  expect(await desk.read(id)).toMatchObject({ status: 'ERROR', months: [], result: null });
  expect((await desk.start()).body).toMatchObject({ key: 'points_close_open' });
  expect((await desk.remove(id)).status).toBe(204);
  expect((await desk.close()).cards_count).toBe(1);
});

test('a close that is deleted while it is made leaves no file', async () => {
  const { club, desk, job, id } = await start(1);
  const { files } = club.dependencies;
  const put: typeof files.put = async (file) => {
    await desk.remove(id);
    await files.put(file);
  };
  await deliver([job], { ...club.dependencies, files: { ...files, put } });
  await expect(desk.statement(id)).rejects.toThrow('there is no file');
  await expect(desk.journal(id)).rejects.toThrow('there is no file');
  expect(await openJobs(club.project.id)).toEqual([]);
});
