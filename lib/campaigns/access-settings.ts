import * as v from 'valibot';
import { list } from '../core/schema.ts';

const ids = v.optional(v.array(v.string()), []);

/** What a body may assign a campaign to; `area_all_stores_ids`: to an area and to every store in it. */
const assigned = v.object({
  assign: v.object({ areas_ids: ids, area_stores_ids: ids, area_all_stores_ids: ids }),
});

/** The areas and stores of a campaign as the interface lists them. What is sent in another shape stands there as it is. */
export function assignmentsOf(settings: Readonly<Record<string, unknown>>) {
  const known = v.safeParse(assigned, settings);
  if (!known.success) return list([settings]);
  const { areas_ids, area_stores_ids, area_all_stores_ids } = known.output.assign;
  return list([
    ...areas_ids.map((area_id) => ({ area_id, all_stores: false })),
    ...area_all_stores_ids.map((area_id) => ({ area_id, all_stores: true })),
    ...area_stores_ids.map((area_store_id) => ({ area_store_id })),
  ]);
}
