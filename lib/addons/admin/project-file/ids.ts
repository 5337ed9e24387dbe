import { hash } from 'node:crypto';

/** Assigns ids to entries without an id. The same entry of the same project gets the same id at every load. */
export class IdMaker {
  readonly #projectId: string;
  readonly #occurrences = new Map<string, number>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Derives the id from the entry's names. */
  fromName(prefix: string, name: string): string {
    const digest = hash('sha256', JSON.stringify([this.#projectId, prefix, name]), 'buffer');
    return prefix + digest.toString('base64url', 0, 16);
  }

  /** Derives the id from the whole entry, and from the number of earlier equal entries. */
  fromContent(prefix: string, entry: unknown): string {
    const content = JSON.stringify(entry);
    const digest = hash('sha256', `${prefix} ${content}`, 'buffer').toString('base64url', 0, 12);
    const before = this.#occurrences.get(digest) ?? 0;
    this.#occurrences.set(digest, before + 1);
    return this.fromName(prefix, `${before} ${content}`);
  }
}
