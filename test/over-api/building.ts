import { type Api, Refused } from './api.ts';
import { type Entry, entriesOf, type Project, renamed, text } from './project.ts';

/** What all steps of one build share. */
export class Building {
  readonly api: Api;
  readonly #file: Project;
  /** The ids of the file, and those under which the service has made the same. */
  readonly ids = new Map<string, string>();
  /** Places of what the file does not have: the orders that uses of vouchers and cards brought with them, what it only names. */
  readonly besides = new Set<string>();
  /** Places of what the file has twice, and the service once. */
  readonly repeated = new Set<string>();
  /** What the service has refused. */
  readonly refused: string[] = [];

  constructor(api: Api, file: Project) {
    this.api = api;
    this.#file = file;
  }

  entries(list: string): readonly Entry[] {
    return entriesOf(this.#file, list);
  }

  /** Of entries that stand under one campaign, by its id. */
  byCampaign(list: string, field = 'campaign_id'): [string, Entry[]][] {
    return [...Map.groupBy(this.entries(list), (entry) => text(entry, field))];
  }

  find(list: string, id: unknown): Entry {
    const found = this.entries(list).find((entry) => entry.id === id || entry.code === id);
    if (!found) throw new Error(`the file has no ${String(id)} in ${list}`);
    return found;
  }

  /** With the ids that the service has given. */
  as<T>(value: T): unknown {
    return renamed(value, this.ids);
  }

  idOf(id: unknown): string {
    return this.ids.get(String(id)) ?? String(id);
  }

  made(entry: Entry, { id }: { id: string }): void {
    this.ids.set(text(entry, 'id'), id);
  }

  /** Goes on where the service refuses one thing, so that a report has all that it refuses. */
  async trying(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused.push(`${what}: ${error.message}`);
    }
  }

  /** Does it for each entry of a list, in the order in which they were made. */
  async each(list: string, run: (entry: Entry) => Promise<unknown>): Promise<void> {
    const entries = this.entries(list).toSorted((a, b) => (text(a, 'created_at') < text(b, 'created_at') ? -1 : 1));
    for (const entry of entries) await this.trying(`${list} ${nameOf(entry)}`, () => run(entry));
  }
}

/** What tells an entry from the others of its list. */
export function nameOf(entry: Entry): string {
  return text(entry, 'id') || text(entry, 'code') || text(entry, 'email') || text(entry, 'name');
}
