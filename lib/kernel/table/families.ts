import type { Write } from './command.ts';
import { type Key, keyText, readProjectId } from './keys.ts';
import { newVersion, versionItems, versionWrites } from './version-copies.ts';

/**
 * Groups kinds that containers keep in memory (`kept.ts`) under one version per project. A kind names its family in its
 * declaration. A write of an item of a family renews the version in the same transaction.
 */
const families = ['earning', 'segments', 'terms'] as const;

export type Family = (typeof families)[number];

/** Counts the items that renewals add to a transaction. */
export const familyItems = families.length * versionItems;

/** Returns the key of a family's version. `copyKey` derives the keys of its copies. */
export function familyKey(projectPart: string, family: Family): Key {
  return { pk: `${projectPart}#KEPT#${family}`, sk: 'KEPT' };
}

/** A key of an item with a family. */
interface Kin extends Key {
  readonly family?: Family;
}

function familyKeyOf(key: Kin): Key | undefined {
  return key.family && familyKey(readProjectId(key), key.family);
}

/** Returns the writes that renew the versions of all families of these keys. */
export function renewFamilies(keys: readonly Kin[]): Write[] {
  const roots = new Map(keys.flatMap((key) => familyKeyOf(key) ?? []).map((root) => [keyText(root), root]));
  return [...roots.values()].flatMap((root) => versionWrites(root, newVersion()));
}

/** Throws if writes change an item of a family without its version, because containers would keep the old item. */
export function checkRenewed(writes: readonly Write[]): void {
  const written = new Set(writes.map(({ key }) => key.pk));
  for (const write of writes) {
    const root = 'check' in write ? undefined : familyKeyOf(write.key);
    if (root && !written.has(root.pk)) throw new Error(`${keyText(write.key)} is written without its family's version`);
  }
}
