import type { Write } from './command.ts';
import { type Key, keyText, projectIdOf } from './keys.ts';
import { newVersion, versionItems, versionWrites } from './version-copies.ts';

/**
 * Kinds that containers keep in memory (`kept.ts`), by one version for all of a project. A kind names its family where it is
 * declared. Whatever writes an item of a family renews the version in the same transaction.
 */
export const families = ['earning', 'segments', 'terms'] as const;

export type Family = (typeof families)[number];

/** Says how many items a transaction may have beside those that a use case writes. */
export const familyItems = families.length * versionItems;

/** The copies of a family's version stand under it. */
export function familyKey(projectPart: string, family: Family): Key {
  return { pk: `${projectPart}#KEPT#${family}`, sk: 'KEPT' };
}

/** A key of an item that has a family. */
interface Kin extends Key {
  readonly family?: Family;
}

function familyKeyOf(key: Kin): Key | undefined {
  return key.family && familyKey(projectIdOf(key), key.family);
}

/** The writes that renew the versions of all families that these keys are of. */
export function renewals(keys: readonly Kin[]): Write[] {
  const roots = new Map(keys.flatMap((key) => familyKeyOf(key) ?? []).map((root) => [keyText(root), root]));
  return [...roots.values()].flatMap((root) => versionWrites(root, newVersion()));
}

/** Throws where the writes change an item of a family and leave its version: containers would keep the item as it was. */
export function checkRenewed(writes: readonly Write[]): void {
  const written = new Set(writes.map(({ key }) => key.pk));
  for (const write of writes) {
    const root = 'check' in write ? undefined : familyKeyOf(write.key);
    if (root && !written.has(root.pk)) throw new Error(`${keyText(write.key)} is written without its family's version`);
  }
}
