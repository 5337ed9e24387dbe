import { expect, test } from 'vitest';
import { handler as listRedemptions } from '../../../functions/redemptions/list-redemptions.ts';
import { listVisits, liveThroughDemo } from '../../../infra/local/demo-life.ts';
import { caller } from '../../support/call.ts';
import { loadDemo } from '../../support/demo.ts';
import { testDependencies } from '../../support/dependencies.ts';

const dependencies = testDependencies();
const now = dependencies.clock();

test('the visits of the demo are the same in each run, and none is in the future', () => {
  const visits = listVisits(now);
  expect(visits).toEqual(listVisits(now));
  expect(visits.length).toBeGreaterThan(60);
  expect(visits.filter(({ at }) => at >= now)).toEqual([]);
});

test('the demo gets redemptions and refusals at the times of its visits, until somebody ends it', async () => {
  const { credentials } = await loadDemo(dependencies);
  const { 'x-app-id': app_id = '', 'x-app-token': app_token = '' } = credentials;
  const last = listVisits(now).slice(0, 20);
  let left = last.length;
  await liveThroughDemo(dependencies, { app_id, app_token }, () => {
    left -= 1;
    return left >= 0;
  });
  const query = `limit=100&order=created_at&created_at[before]=${last.at(-1)?.at.toISOString()}`;
  const { body } = await caller(listRedemptions, dependencies)({ headers: credentials, query });
  const results = body.redemptions.map(({ result }: { result: string }) => result);
  expect(new Set(results)).toEqual(new Set(['SUCCESS', 'FAILURE']));
  const times = last.map(({ at }) => at.toISOString());
  const shown = body.redemptions.map(({ date }: { date: string }) => date);
  expect(shown.filter((date: string) => !times.includes(date))).toEqual([]);
});
