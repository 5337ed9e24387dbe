import * as v from 'valibot';
import { type Amendment, amend, type Effect, insert } from './effects.ts';
import { keyText, stripKey } from './keys.ts';
import { itemMarks } from './kind.ts';

/**
 * Stores inserts and amendments as data, for a commit at any later time. The stored form has no expression of the table, because the
 * committer of that time makes the writes.
 */

const key = v.object({ pk: v.string(), sk: v.string() });
const attributes = v.record(v.string(), v.unknown());
const amendment = v.object({
  add: v.optional(v.record(v.string(), v.number())),
  set: v.optional(attributes),
  still: v.optional(attributes, {}),
  /** The names in `still`, because JSON leaves out the attributes that must be missing. */
  judged: v.array(v.string()),
  ifThere: v.optional(v.boolean()),
});
const dataEffects = v.array(v.union([v.object({ key, insert: attributes }), v.object({ key, amend: amendment })]));

function toData(effect: Effect) {
  const { key: place } = effect;
  const own = stripKey(place);
  if ('family' in place && place.family)
    throw new Error(`${keyText(place)} cannot be stored: its family has a version`);
  // The marks record the shape of the item, even if a later release makes the write.
  if ('insert' in effect)
    return { key: own, insert: { ...effect.insert, ...('kind' in place ? itemMarks(place) : {}) } };
  if ('amend' in effect) return { key: own, amend: { ...effect.amend, judged: Object.keys(effect.amend.still ?? {}) } };
  throw new Error(`${keyText(place)} cannot be stored: only inserts and amendments can`);
}

/** Returns JSON texts, each with all effects on one item. */
export function storeEffects(effects: readonly Effect[]): string[] {
  const byItem = Map.groupBy(effects, (effect) => keyText(effect.key));
  return [...byItem.values()].map((same) => same.map((one) => JSON.stringify(toData(one))).join());
}

/** Returns the effects of stored texts, which commas separate. */
export function readEffects(texts: string): Effect[] {
  return v.parse(dataEffects, JSON.parse(`[${texts}]`)).map((one) => {
    if ('insert' in one) return insert(one.key, one.insert);
    const { judged, still, ...more } = one.amend;
    const whole: Amendment = { ...more, still: Object.fromEntries(judged.map((name) => [name, still[name]])) };
    return amend(one.key, whole);
  });
}
