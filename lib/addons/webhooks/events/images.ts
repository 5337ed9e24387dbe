import type { StreamRecord } from '#kernel/table/stream.ts';

/** The attributes of an item in a record of the stream. */
export type Image = NonNullable<NonNullable<StreamRecord['dynamodb']>['NewImage']>;

/** Returns whether any of these attributes differ. */
export function differIn(before: Image, after: Image, names: readonly string[]): boolean {
  return names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Returns whether the item was active before and after. An absent switch is on. */
export function readSwitch(before: Image, after: Image): 'enabled' | 'disabled' | undefined {
  const [was, is] = [before.active?.BOOL ?? true, after.active?.BOOL ?? true];
  return was === is ? undefined : is ? 'enabled' : 'disabled';
}

/** Returns whether the item is a tombstone. */
export function isBuried(image: Image): boolean {
  return image.deleted_at !== undefined;
}
