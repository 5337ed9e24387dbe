import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#kernel/core/is-record.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Update } from '#kernel/table/update.ts';

function without(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  const isEach = step.endsWith('[]');
  const name = isEach ? step.slice(0, -2) : step;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value;
  if (rest.length === 0) return isRecord(inner) ? { ...others, [name]: {} } : others;
  const next = isEach && Array.isArray(inner) ? inner.map((one) => without(one, rest)) : without(inner, rest);
  return { ...others, [name]: next };
}

/** Returns the item without these fields (`PersonalData.fields`). Texts are removed, and metadata becomes empty. */
export function clearFields(item: Attributes, fields: readonly string[]): Attributes {
  return fields.reduce<Attributes>((rest, field) => Object(without(rest, field.split('.'))), item);
}

/** Adds the changes from one item to the other, if each changed attribute is unchanged since the read. Returns their number. */
export function addChanges(update: Update, before: Attributes, after: Attributes): number {
  const differing = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  for (const name of differing) {
    update.whenStill(name, before[name]);
    if (after[name] === undefined) update.remove([name]);
    else update.set([name], after[name]);
  }
  return differing.length;
}
