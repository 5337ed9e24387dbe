import { settleDue } from '#registry.ts';
import { ownTable, standingClock, testDependencies } from './dependencies.ts';
import { newClub } from './loyalty.ts';
import { itemsOf } from './outbox.ts';

/** Loads a club on 15 June 2026 into a separate table, because a run settles every project of its table. */
export async function newWorld(lists: Record<string, unknown>) {
  const clock = standingClock();
  const tableName = await ownTable();
  const dependencies = { ...testDependencies({ tableName }), clock };
  const club = await newClub(lists, dependencies);
  const items = (kind: string) => itemsOf(club.project.id, kind, dependencies);
  return {
    ...club,
    dependencies,
    run: (day: string) => {
      clock.set(`${day}T00:30:00Z`);
      return settleDue(dependencies);
    },
    stored: async (code: string) => (await items('VOUCHER')).find((item) => item.code === code),
    items,
  };
}

/** The report of a run that found nothing to do. */
export const nothing = { settled: 0, activated: 0, swept: 0, skipped: 0, started: 0, failed: 0, finished: true };
