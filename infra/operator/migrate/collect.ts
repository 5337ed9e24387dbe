import { isRecord } from '#kernel/core/is-record.ts';
import { cellsIn, headerOf } from './csv-rows.ts';
import { expirations, exported } from './exported.ts';
import { beginExport, fetchExport } from './exports.ts';
import { linesIn } from './json-lines.ts';
import { orderLines, readListedRows, redemptionRows } from './listed-rows.ts';
import { pagesFrom, type Row, TooLong, type Windows, windows } from './pages.ts';
import { type Source, SourceRefusal } from './source.ts';
import { type Progress, writeWhole } from './state.ts';

/**
 * Copies the source's data to files of the folder: a file of lines for each list, and a file of CSV for each export.
 */

/** Lists of the whole project. */
const projectLists = {
  categories: '/v1/categories',
  validation_rules: '/v1/validation-rules',
  campaigns: '/v1/campaigns?order=created_at',
  promotion_tiers: '/v1/promotions/tiers',
  promotion_stacks: '/v1/promotions/stacks',
  rewards: '/v1/rewards',
  segments: '/v1/segments?order=created_at',
  locations: '/v1/locations',
  product_collections: '/v1/product-collections',
  products: '/v1/products?order=created_at',
} as const;

export const ruleAssignments = 'validation_rules_assignments';

/** Lists of each loyalty programme. */
const programmeLists = {
  loyalty_tiers: 'tiers',
  earning_rules: 'earning-rules',
  reward_assignments: 'reward-assignments',
  pending_points: 'pending-points',
} as const;

/** Notes a refusal instead of ending, because a key may read only a part. */
async function unlessRefused(progress: Progress, name: string, read: () => Promise<void>): Promise<void> {
  if (progress.step(name).done) return;
  try {
    await read();
  } catch (error) {
    const isPart =
      error instanceof TooLong || (error instanceof SourceRefusal && (error.isForbidden || error.status === 400));
    if (!isPart) throw error;
    const isTooLong = error instanceof TooLong || undefined;
    await progress.note(name, { done: true, refused: error.message, isTooLong });
  }
}

/** Appends the pages of a list to its file. After each page, it notes from where to continue. */
async function readList(
  source: Source,
  progress: Progress,
  name: string,
  path: string,
  { own = {}, by }: { own?: Row; by?: Windows | undefined } = {},
): Promise<void> {
  await unlessRefused(progress, name, async () => {
    const from = progress.step(name);
    const file = await progress.append(`${name}.jsonl`, from);
    try {
      for await (const { rows, next } of pagesFrom(source, path, from.at, by)) {
        const bytes = await file.write(rows.map((row) => `${JSON.stringify({ ...row, ...own })}\n`).join(''));
        await progress.note(name, next === undefined ? { done: true } : { at: next, bytes });
      }
    } finally {
      await file.close();
    }
  });
}

/** Names the file of a list that each of several objects has. */
export function ofEach(list: string, id: string): string {
  return `${list}.${encodeURIComponent(id)}`;
}

/** Reads the holders of each referral code. The place is the number of codes that are done. */
async function readHolders(source: Source, progress: Progress): Promise<void> {
  const name = 'referral_holders';
  await unlessRefused(progress, name, async () => {
    const from = progress.step(name);
    const done = Number(from.at ?? 0);
    const file = await progress.append(`${name}.jsonl`, from);
    let at = 0;
    try {
      for await (const { code = '', is_referral_code } of cellsIn(progress.path('vouchers.csv'))) {
        if (is_referral_code?.toLowerCase() !== 'true') continue;
        at += 1;
        if (at <= done) continue;
        const path = `/v1/referrals/members/${encodeURIComponent(code)}/holders`;
        const rows: Row[] = [];
        for await (const page of pagesFrom(source, path)) rows.push(...page.rows);
        const bytes = await file.write(rows.map((row) => `${JSON.stringify({ ...row, code })}\n`).join(''));
        await progress.note(name, { at: String(at), bytes });
      }
      await progress.note(name, { done: true });
    } finally {
      await file.close();
    }
  });
}

/** App keys may not read the stacking rules themselves. Each qualification shows them. */
async function readStackingRules(source: Source, progress: Progress): Promise<void> {
  const name = 'stacking_rules';
  await unlessRefused(progress, name, async () => {
    const reply = await source.post('/v1/qualifications', { scenario: 'AUDIENCE_ONLY', options: { limit: 1 } });
    const rules = isRecord(reply) && isRecord(reply.stacking_rules) ? reply.stacking_rules : undefined;
    await writeWhole(progress.path(`${name}.jsonl`), rules ? `${JSON.stringify(rules)}\n` : '');
    await progress.note(name, rules ? { done: true } : { done: true, refused: 'qualifications do not show them' });
  });
}

/**
 * Reads the assignments of the project. If their list is too long and has no windows, reads the list of each rule
 * instead.
 */
async function readAssignments(source: Source, progress: Progress): Promise<void> {
  const path = '/v1/validation-rules-assignments?order=created_at';
  await readList(source, progress, ruleAssignments, path, { by: windows.range });
  if (!progress.step(ruleAssignments).isTooLong) return;
  const rules = await idsIn(progress, 'validation_rules', () => true);
  for (const id of rules) {
    const ofRule = `${path}&rule=${encodeURIComponent(id)}`;
    await readList(source, progress, ofEach(ruleAssignments, id), ofRule, { by: windows.range });
  }
  await progress.note(ruleAssignments, { done: true, isTooLong: true });
}

/** Some services show the SKUs with their product. */
function lacksSkus({ skus }: Row): boolean {
  return !isRecord(skus) || !Array.isArray(skus.data) || Number(skus.total) > skus.data.length;
}

async function idsIn(progress: Progress, list: string, isWanted: (row: Row) => boolean): Promise<string[]> {
  const ids: string[] = [];
  for await (const row of linesIn(progress.path(`${list}.jsonl`))) if (isWanted(row)) ids.push(String(row.id));
  return [...new Set(ids)];
}

/** Reads everything that earlier runs have not read. Large files come last, so that they are as fresh as possible. */
export async function collect(source: Source, progress: Progress, onStep: (name: string) => void): Promise<void> {
  for (const [name, path] of Object.entries(projectLists)) {
    onStep(name);
    await readList(source, progress, name, path, { by: name === 'products' ? windows.dates : undefined });
  }
  onStep(ruleAssignments);
  await readAssignments(source, progress);
  onStep('stacking_rules');
  await readStackingRules(source, progress);
  const programmes = await idsIn(progress, 'campaigns', (row) => row.campaign_type === 'LOYALTY_PROGRAM');
  for (const id of programmes) {
    for (const [list, path] of Object.entries(programmeLists)) {
      onStep(list);
      const own = list === 'pending_points' ? {} : { campaign_id: id };
      const toPath = `/v1/loyalties/${encodeURIComponent(id)}/${path}`;
      await readList(source, progress, ofEach(list, id), toPath, list === 'reward_assignments' ? {} : { own });
    }
  }
  for (const id of await idsIn(progress, 'segments', (row) => row.type === 'static')) {
    onStep('segments');
    const toPath = `/v1/customers?order=created_at&segment_id=${encodeURIComponent(id)}`;
    await readList(source, progress, ofEach('members', id), toPath, { by: windows.range });
  }
  for (const id of await idsIn(progress, 'products', lacksSkus)) {
    onStep('skus');
    await readList(source, progress, ofEach('skus', id), `/v1/products/${encodeURIComponent(id)}/skus`);
  }
  // The source writes all files simultaneously, and they are waited for together.
  onStep('exports');
  for (const [name, wanted] of Object.entries(exported)) {
    await unlessRefused(progress, `${name}.csv`, async () => {
      await beginExport(source, progress, `${name}.csv`, wanted);
    });
  }
  for (const [name, wanted] of Object.entries(exported)) {
    onStep(name);
    await unlessRefused(progress, `${name}.csv`, () => fetchExport(source, progress, `${name}.csv`, wanted));
  }
  for (const listed of [orderLines, redemptionRows]) {
    onStep(listed.name.replace('_', ' '));
    await unlessRefused(progress, listed.name, () => readListedRows(source, progress, listed));
  }
  const vouchers = progress.path('vouchers.csv');
  if (progress.step('vouchers.csv').refused) return;
  if (!(await headerOf(vouchers)).includes('loyalty_lots')) {
    const name = 'points_expiration.csv';
    await unlessRefused(progress, name, () => fetchExport(source, progress, name, expirations));
  }
  onStep('referral_holders');
  await readHolders(source, progress);
}
