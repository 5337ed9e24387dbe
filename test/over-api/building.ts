import { type Api, Refused } from './api.ts';
import { type Entry, entriesOf, type Project, renamed, text } from './project.ts';

/** State that all steps of one build share. */
export class Building {
  readonly api: Api;
  readonly #file: Project;
  /** Ids of the file, each with the id that the service gave the same resource. */
  readonly ids = new Map<string, string>();
  /** Places that the file does not have: orders made to use vouchers and cards, and products that the file only names. */
  readonly besides = new Set<string>();
  /** Places that the file has twice, and the service once. */
  readonly repeated = new Set<string>();
  /** The requests that the service has refused. */
  readonly refused: string[] = [];

  constructor(api: Api, file: Project) {
    this.api = api;
    this.#file = file;
  }

  entries(list: string): readonly Entry[] {
    return entriesOf(this.#file, list);
  }

  /** Groups the entries of a list by their campaign's id. */
  byCampaign(list: string, field = 'campaign_id'): [string, Entry[]][] {
    return [...Map.groupBy(this.entries(list), (entry) => text(entry, field))];
  }

  find(list: string, id: unknown): Entry {
    const found = this.entries(list).find((entry) => entry.id === id || entry.code === id);
    if (!found) throw new Error(`the file has no ${String(id)} in ${list}`);
    return found;
  }

  /** Returns the value with the service's ids. */
  as<T>(value: T): unknown {
    return renamed(value, this.ids);
  }

  idOf(id: unknown): string {
    return this.ids.get(String(id)) ?? String(id);
  }

  made(entry: Entry, { id }: { id: string }): void {
    this.ids.set(text(entry, 'id'), id);
  }

  /** Continues after a refusal, so that a report has all refusals. */
  async trying(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused.push(`${what}: ${error.message}`);
    }
  }

  /** Runs the step for each entry of a list, in the order of creation. */
  async each(list: string, run: (entry: Entry) => Promise<unknown>): Promise<void> {
    const entries = this.entries(list).toSorted((a, b) => (text(a, 'created_at') < text(b, 'created_at') ? -1 : 1));
    for (const entry of entries) await this.trying(`${list} ${nameOf(entry)}`, () => run(entry));
  }
}

/** Returns the name that identifies an entry in its list. */
export function nameOf(entry: Entry): string {
  return text(entry, 'id') || text(entry, 'code') || text(entry, 'email') || text(entry, 'name');
}
