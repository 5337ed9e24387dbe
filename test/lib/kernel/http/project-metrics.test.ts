import { expect, test } from 'vitest';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as listBrands } from '../../../../functions/management/list-brands.ts';
import { handler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';
import { loadProject } from '../../../support/project.ts';

const project = await loadProject({ vouchers: [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }] });

/** One container of a stage that allows two calls a minute. */
function container(metricsStage?: string) {
  const dependencies = testDependencies({
    rateLimiter: new RateLimiter(2),
    ...(metricsStage === undefined ? {} : { metricsStage }),
  });
  const get = async (code: string, headers = project.credentials) => {
    await caller(handler, dependencies)({ params: { code }, headers });
    return dependencies.lines.at(-1) ?? '';
  };
  return { dependencies, get };
}

const metricsIn = (line: string) => {
  const { _aws, ...fields } = JSON.parse(line);
  expect(_aws.Timestamp).toBe(testTime.getTime());
  const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
  const valuesOf = (names: readonly string[]) => names.map((name) => [name, fields[name]]);
  return {
    Namespace,
    dimensions: Dimensions.map((names: string[]) => Object.fromEntries(valuesOf(names))),
    metrics: Object.fromEntries(valuesOf(Metrics.map(({ Name }: { Name: string }) => Name))),
  };
};

test('a log line counts its call for the project, and whether it was refused or rate-limited', async () => {
  const { get } = container('prod');
  const dimensions = [{ stage: 'prod', project_id: project.id }];
  const Namespace = 'Tessera/Projects';
  expect(metricsIn(await get('ONE'))).toEqual({ Namespace, dimensions, metrics: { calls: 1 } });
  expect(metricsIn(await get('NONE'))).toEqual({ Namespace, dimensions, metrics: { calls: 1, refusals: 1 } });
  expect(metricsIn(await get('ONE'))).toEqual({ Namespace, dimensions, metrics: { calls: 1, turned_away: 1 } });
});

test('a call without credentials, or by a manager of all projects, counts for no project', async () => {
  const { get, dependencies } = container('prod');
  expect(await get('ONE', { 'x-app-id': 'nobody', 'x-app-token': 'none' })).not.toContain('_aws');
  await caller(listBrands, dependencies)({});
  expect(dependencies.lines.at(-1)).not.toContain('_aws');
});

test('without the option a line has no metrics, and is 197 bytes shorter', async () => {
  const { get } = container();
  const [plain, measured] = [await get('ONE'), await container('prod').get('ONE')];
  expect(plain).not.toContain('_aws');
  // See docs/operations.md#project-metrics.
  expect(measured.length - plain.length).toBe(197);
});
