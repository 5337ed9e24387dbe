import { hash } from 'node:crypto';
import { type IdKind, idPrefixes } from '../ids.ts';

/** Gives ids to entries without one: the same entry of the same project gets the same id at every load. */
export class IdMaker {
  readonly #projectId: string;
  readonly #occurrences = new Map<string, number>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** From what the entry is known by. */
  fromName(kind: IdKind, name: string): string {
    const digest = hash('sha256', JSON.stringify([this.#projectId, kind, name]), 'buffer');
    return idPrefixes[kind] + digest.toString('base64url', 0, 16);
  }

  /** From the whole entry, and how many just like it came before. */
  fromContent(kind: IdKind, entry: unknown): string {
    const content = JSON.stringify(entry);
    const digest = hash('sha256', `${kind} ${content}`, 'buffer').toString('base64url', 0, 12);
    const before = this.#occurrences.get(digest) ?? 0;
    this.#occurrences.set(digest, before + 1);
    return this.fromName(kind, `${before} ${content}`);
  }
}

/** Ids by id and by name, the id winning where they collide (ruling C.5). */
export class IdBook {
  readonly #ids = new Map<string, string>();

  constructor(entries: Iterable<{ id: string; name: string }>) {
    const all = [...entries];
    for (const { id, name } of all) this.#ids.set(name, id);
    for (const { id } of all) this.#ids.set(id, id);
  }

  find(...names: (string | null | undefined)[]): string | undefined {
    const name = names.find((some) => some !== null && some !== undefined);
    return name === undefined ? undefined : this.#ids.get(name);
  }
}
