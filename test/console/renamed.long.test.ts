import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTypes } from '../../infra/console/api-types.ts';

/** Renames fields of the API, and lets the compiler look at the console. */

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const types = writeTypes();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-console-'));
  await cp(join(root, 'console'), join(folder, 'console'), { recursive: true });
  await cp(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, '.dist/console'), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true }));

/** Returns what the compiler says of the console, with these types of the API. */
async function compile(content: string): Promise<string> {
  await writeFile(join(folder, '.dist/console/api.d.ts'), content);
  const check = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'console'], {
    cwd: folder,
  });
  return check.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** Renames a field of one schema or of one path. */
function rename(content: string, [owner, field]: readonly [owner: string, field: string]): string {
  const parts = content.split(/\n(?= +")/);
  const own = parts.findIndex((part) => part.trim().startsWith(`${JSON.stringify(owner)}:`));
  const changed = parts[own]?.replaceAll(`"${field}"`, '"renamed"') ?? '';
  expect([owner, changed !== '' && changed !== parts[own]]).toEqual([owner, true]);
  return parts.with(own, changed).join('\n');
}

/** Names fields of replies, bodies, queries and paths, with a file of the console that reads or sends them. */
const renames = [
  ['Voucher', 'next_expiration_points', 'screens/voucher.tsx'],
  ['RedeemedOrder', 'total_applied_discount_amount', 'components/outcomes.tsx'],
  ['CampaignSummary', 'points_redeemed', 'core/day.ts'],
  ['ListReportsReply', 'currency_decimals', 'core/currency.ts'],
  ['EarningRuleLoyaltyProportionalOrderAmount', 'every', 'screens/programme.tsx'],
  ['ImportCustomersAcceptedAsyncActionId', 'async_action_id', 'screens/import.tsx'],
  ['CreateCustomerRequest', 'birthdate', 'screens/customers.tsx'],
  ['CreateLoyaltyCampaignRequest', 'vouchers_count', 'screens/new-programme.tsx'],
  ['CreateRewardRequest', 'stock', 'screens/new-reward.tsx'],
  ['CreateSegmentRequestAutoUpdate', 'summary.orders.total_amount', 'core/filters.ts'],
  ['SentDiscountPercent', 'percent_off', 'screens/draft.ts'],
  ['/v1/redemptions', 'campaign', 'screens/campaign-history.tsx'],
  ['/v1/segments', 'created_at', 'screens/segments.tsx'],
  ['/v1/products/{productId}', 'productId', 'screens/catalogue.tsx'],
] as const;

test('the console compiles with the types of the document, and each renamed field fails the build', async () => {
  expect(await compile(types)).toBe('');
  const changed = renames.reduce((content, [owner, field]) => rename(content, [owner, field]), types);
  const errors = (await compile(changed)).split(/\n(?=\S)/);
  for (const [owner, field, file] of renames) {
    const found = errors.filter((error) => error.startsWith(`console/${file}(`) && error.includes(field));
    expect(found, `${owner} without ${field}\n${errors.join('\n').slice(0, 20_000)}`).not.toEqual([]);
  }
});
