import { describe, expect, test } from 'vitest';
import { handler as assignmentsHandler } from '../../../../../functions/loyalties/list-reward-assignments.ts';
import { handler as updateHandler } from '../../../../../functions/promotions/update-promotion-tier.ts';
import { caller } from '../../../../support/call.ts';
import { expectTiersListed } from '../../../../support/listed.ts';
import { campaignEntry } from '../../../../support/lists.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, loadCutOff, loadFile, projectFile } from '../../../../support/project.ts';

const campaigns = [
  { id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' },
  { id: 'camp_2', name: 'Two', campaign_type: 'PROMOTION', type: 'STATIC' },
  { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
];
const rewards = [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }];
const tiersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `promo_${index}`,
    name: `Tier ${index}`,
    campaign_id: `camp_${1 + (index % 2)}`,
    hierarchy: index % 5,
  }));
const assignmentsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `rewa_${index}`,
    reward_id: 'rew_1',
    related_object_id: 'Club',
    related_object_type: 'campaign',
  }));
const fileOf = (tiers: number, assignments: number) =>
  projectFile({
    campaigns,
    rewards,
    promotion_tiers: tiersOf(tiers),
    reward_assignments: assignmentsOf(assignments),
  });
type File = ReturnType<typeof fileOf>;

/** Returns the stored items of this kind, in any order. */
const storedOf = async (file: File, kind: string) =>
  (await itemsOf(file.project.id, kind)).filter(({ sk }) => sk === kind);

/** Returns the programme's assignments in the API by id. The file has no dates, so all are of one moment. */
async function assignmentsShown(file: File) {
  const request = { params: { campaignId: 'camp_club' }, query: 'limit=100', headers: credentialsOf(file) };
  const { body } = await caller(assignmentsHandler)(request);
  return { ids: body.data.map(({ id }: { id: string }) => id), total: body.total };
}

async function expectWhole(file: File) {
  await expectTiersListed(
    file.project.id,
    file.promotion_tiers.map(({ id }) => id),
  );
  const ids = file.reward_assignments.map(({ id }) => id).toSorted();
  expect(await assignmentsShown(file)).toEqual({ ids: ids.toReversed(), total: ids.length });
}

const everything = async (file: File) =>
  (await itemsOf(file.project.id, '')).toSorted((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));

describe('an entry with places in ordered lists', () => {
  test('is listed by its load, once', async () => {
    const file = fileOf(30, 60);
    await loadFile(file);
    await expectWhole(file);
    const before = await everything(file);
    await loadFile(file, new Date('2026-08-01T00:00:00Z'));
    expect(await everything(file)).toEqual(before);
  });

  test('is listed even if each tier is in a new campaign, whose lists begin with it', async () => {
    const own = Array.from({ length: 30 }, (_, index) => campaignEntry(`camp_own_${index}`, `${index}`, 'PROMOTION'));
    const promotion_tiers = tiersOf(30).map((tier, index) => ({ ...tier, campaign_id: `camp_own_${index}` }));
    const file = { ...fileOf(0, 1), campaigns: [...campaigns, ...own], promotion_tiers };
    await loadFile(file);
    await expectWhole(file);
  });

  test('moves if the file gives it another rank or campaign', async () => {
    const file = fileOf(12, 1);
    await loadFile(file);
    const promotion_tiers = file.promotion_tiers.map((tier, index) => ({
      ...tier,
      ...(index % 3 ? {} : { hierarchy: 20 - index }),
      ...(index % 4 ? {} : { campaign_id: 'camp_2' }),
    }));
    await loadFile({ ...file, promotion_tiers });
    await expectWhole({ ...file, promotion_tiers });
    await loadFile(file);
    await expectWhole(file);
  });

  test('returns to the rank of the file after the API gave it another, in step with its update', async () => {
    const file = fileOf(4, 1);
    await loadFile(file);
    const update = (promotionTierId: string, body: object) =>
      caller(updateHandler)({ params: { promotionTierId }, headers: credentialsOf(file), body });
    await update('promo_1', { hierarchy: 9 });
    await loadFile(file);
    await expectWhole(file);
    const [, ...replies] = await Promise.all([
      loadFile(file),
      ...Array.from({ length: 6 }, (_, index) => update(`promo_${index % 4}`, { hierarchy: 10 + index })),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await expectWhole(file);
  });

  test('is listed once, in its places, by several loaders at once', async () => {
    const file = fileOf(25, 50);
    await Promise.all([loadFile(file), loadFile(file), loadFile(file)]);
    await expectWhole(file);
    const before = await everything(file);
    await loadFile(file);
    expect(await everything(file)).toEqual(before);
  });

  test('is listed or missing when a load is interrupted at any point, and the next load continues', async () => {
    let found = 0;
    for (const after of [3, 4, 5]) {
      const file = fileOf(20, 60);
      let inserts = 0;
      const load = loadCutOff(file, ({ constructor: { name } }) => {
        if (name === 'BatchExecuteStatementCommand' || name === 'TransactWriteCommand') inserts += 1;
        return inserts > after;
      });
      await expect(load).rejects.toThrow('cut off');
      const tiers = await storedOf(file, 'PROMOTION_TIER');
      const assignments = await storedOf(file, 'REWARD_ASSIGNMENT');
      found += tiers.length + assignments.length;
      await expectTiersListed(
        file.project.id,
        tiers.map(({ id }) => String(id)),
      );
      await loadFile(file);
      await expectWhole(file);
    }
    expect(found).toBeGreaterThan(0);
  });
});
