import { hash } from 'node:crypto';
import * as v from 'valibot';
import { change, type Effect } from '../../table/effects.ts';
import type { Attributes } from '../../table/item.ts';
import type { ItemKey } from '../../table/kind.ts';
import { kind, projectKind } from '../../table/kind.ts';
import { newVersion } from '../../table/version-copies.ts';
import { Versioned, versionChanges } from '../../table/versioned.ts';

/**
 * What a project offers to everybody, so that a request finds it without a walk: the ids of its promotion tiers, campaigns and
 * validation rules with the version of each, in a fixed number of parts, and one small item with the version of every part. All of
 * it moves in the transaction of the thing itself. Requests read the small item, and beyond it only what has changed since.
 * Of the small item they read one of the copies that bear its version (`lib/table/versioned.ts`), and the rest where that has changed.
 */

export const noted = ['promotion_tier', 'campaign', 'validation_rule'] as const;

export type Noted = (typeof noted)[number];

/** A part has some 80 bytes for each thing, of the 400 KB that an item may have: 5,000 things in each. */
const parts = 64;

/** `v<part>`: its version. */
export const notedVersions = projectKind('OFFERED', v.looseObject({}));

/** What a request reads: the version of all parts together where nothing has changed. */
export const offeredByVersion = new Versioned((item): Attributes => item, { keepsNothing: true });

/** `version`, and `<kind> <id>`: that of the thing. */
export const notedParts = kind('OFFERED_PART', v.looseObject({}));

export const versionPrefix = 'v';

export function nameOf(what: Noted, id: string): string {
  return `${what} ${id}`;
}

export function partOf(name: string): string {
  return String(hash('sha256', name, 'buffer').readUInt8(0) % parts);
}

/**
 * Draws an id under which a thing is noted in the same part as another: things that are made at once then change one part, however
 * many there are.
 */
export function idBeside(
  what: Noted,
  other: { readonly what: Noted; readonly id: string },
  draw: () => string,
): string {
  const part = partOf(nameOf(other.what, other.id));
  for (let id = draw(); ; id = draw()) if (partOf(nameOf(what, id)) === part) return id;
}

/** Goes with the write that gives the thing this `version`; without one, with that which takes it away. */
export function notedAs(
  projectId: string,
  what: Noted,
  { id, version }: { id: string; version: string | undefined },
): Effect[] {
  const name = nameOf(what, id);
  const part = partOf(name);
  const own = version ?? newVersion();
  const whole = notedVersions(projectId);
  return [
    change(notedParts(projectId, part), (update) => {
      update.set(['version'], own);
      return version === undefined ? update.remove([name]) : update.set([name], version);
    }),
    change(whole, (update) => update.set([versionPrefix + part], own).set(['version'], own)),
    ...versionChanges(whole, own),
  ];
}

/** Goes with any write of a thing that has no other version: gives it a new one. */
export function renewed(key: ItemKey, what: Noted, id: string): Effect[] {
  const version = newVersion();
  return [change(key, (update) => update.set(['version'], version)), ...notedAs(key.project, what, { id, version })];
}
