import { hash } from 'node:crypto';
import * as v from 'valibot';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { KeptItems } from '#kernel/table/kept.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { kind, projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';

/**
 * Notes what a project offers to all customers, so that a request finds it without a walk. The notes are the ids and
 * versions of its promotion tiers, campaigns and validation rules, in a fixed number of parts. One small item has the
 * version of every part. All change in the transaction of the resource itself. Requests read a copy of the small
 * item's version (`lib/kernel/table/kept.ts`), and further items only if it has changed.
 */
export const notedKinds = ['promotion_tier', 'campaign', 'validation_rule'] as const;

export type NotedKind = (typeof notedKinds)[number];

/** A part needs some 80 bytes for each resource. An item of 400 KB has room for 5,000. */
const parts = 64;

/** Stores the version of each part as `v<part>`. */
export const notedVersions = projectKind(kinds.offered, v.looseObject({}));

/** Reads the version of all parts together. */
export const offeredByVersion = new KeptItems((item): Attributes => item, { keepsNothing: true });

/** Stores the `version` of the part, and the version of each resource as `<kind> <id>`. */
export const notedParts = kind(kinds.offeredPart, v.looseObject({}));

export const versionPrefix = 'v';

export function nameNoted(what: NotedKind, id: string): string {
  return `${what} ${id}`;
}

export function choosePart(name: string): string {
  return String(hash('sha256', name, 'buffer').readUInt8(0) % parts);
}

/** Draws an id that is noted in the same part as another, so that resources that are made together change one part. */
export function drawIdInPart(
  what: NotedKind,
  other: { readonly what: NotedKind; readonly id: string },
  draw: () => string,
): string {
  const part = choosePart(nameNoted(other.what, other.id));
  for (let id = draw(); ; id = draw()) if (choosePart(nameNoted(what, id)) === part) return id;
}

/** Returns the effects that note a resource's version, or remove the note, for the transaction that writes the resource. */
export function noteResource(
  projectId: string,
  what: NotedKind,
  { id, version }: { id: string; version: string | undefined },
): Effect[] {
  const name = nameNoted(what, id);
  const part = choosePart(name);
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

/** Gives a new version to a resource that has no other version, together with any write. */
export function renewNoted(key: ItemKey, what: NotedKind, id: string): Effect[] {
  const version = newVersion();
  return [
    change(key, (update) => update.set(['version'], version)),
    ...noteResource(key.project, what, { id, version }),
  ];
}
