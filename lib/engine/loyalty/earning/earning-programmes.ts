import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import type { Reading } from '#kernel/http/context.ts';
import { Kept, type KeptVersion, readFamily } from '#kernel/table/kept.ts';
import { readChildren } from '#kernel/table/read.ts';
import { type AssignedRules, noneAssigned, readAssigned, recallWaiting } from './assigned-rules.ts';
import { type EarningRule, earningProgrammes, earningRules } from './earning-rule.ts';
import { listMeasuredCollections } from './measure.ts';

/** A programme with its rewards for events. */
export interface EarningProgramme extends Programme {
  rules: readonly EarningRule[];
  /** The assignments of the rules that the container saw waiting for the event before. */
  assigned: AssignedRules;
}

/** Returns the collections that active rules of the programmes use for the event. */
export function listEventCollections(programmes: readonly EarningProgramme[], event: string): string[] {
  const ids = programmes
    .flatMap(({ rules }) => rules)
    .flatMap(({ active, event: own, loyalty }) =>
      active && own === event && loyalty.type === 'PROPORTIONAL' ? listMeasuredCollections(loyalty) : [],
    );
  return [...new Set(ids)];
}

/** Rules by campaign and event. */
const keptRules = new Kept<readonly EarningRule[]>();
const keptIds = new Kept<readonly string[]>();

/** Reads programmes once for all attempts at an event. Requests that change the same card do not change its campaign. */
export class Programmes {
  readonly #context: Reading;
  /** Shares a running read, and repeats a failed read. */
  readonly #known = new Map<string, Promise<EarningProgramme | undefined>>();
  #ofEvent: Promise<readonly string[]> | undefined;
  #kept: KeptVersion | undefined;

  constructor(context: Reading) {
    this.#context = context;
  }

  /** Returns the container's memory. A request that needs nothing reads no version. */
  get kept(): KeptVersion {
    this.#kept ??= readFamily(this.#context, 'earning');
    return this.#kept;
  }

  /** Returns the existing programmes of these campaigns, by id. */
  async get(ids: readonly string[], event?: string): Promise<Map<string, EarningProgramme>> {
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    const reading = this.#read(missing, event);
    for (const id of missing) {
      this.#known.set(
        id,
        reading.then((found) => found.get(id)),
      );
    }
    try {
      const found = await Promise.all(ids.map((id) => this.#known.get(id)));
      return new Map(found.flatMap((programme) => (programme ? [[programme.campaign.id, programme] as const] : [])));
    } catch (error) {
      for (const id of ids) this.#known.delete(id);
      throw error;
    }
  }

  async #read(ids: readonly string[], event: string | undefined): Promise<Map<string, EarningProgramme>> {
    if (ids.length === 0) return new Map();
    const { table, project } = this.#context;
    const { kept } = this;
    const guessed = event === undefined ? [] : recallWaiting(this.#context, ids, event);
    const readRules = (id: string) => readChildren(table, earningRules, project.id, id);
    const [programmes, rules, assigned] = await Promise.all([
      findProgrammes(this.#context, ids, kept),
      Promise.all(ids.map((id) => keptRules.get(kept, id, () => readRules(id)))),
      guessed.length === 0 ? noneAssigned : readAssigned(this.#context, guessed, kept),
    ]);
    return new Map(
      ids.flatMap((id, index) => {
        const programme = programmes.get(id);
        return programme ? [[id, { ...programme, rules: rules[index] ?? [], assigned }] as const] : [];
      }),
    );
  }

  /**
   * Returns the ids of programmes with a rule that waits, or waited, for the event. Later calls get the answer for the first event,
   * whatever event they name.
   */
  async campaignIds(event: string): Promise<readonly string[]> {
    const { table, project } = this.#context;
    const readIds = async () => {
      const found = await readChildren(table, earningProgrammes, project.id, event);
      return found.map(({ campaign_id }) => campaign_id);
    };
    this.#ofEvent ??= keptIds.get(this.kept, event, readIds);
    try {
      return await this.#ofEvent;
    } catch (error) {
      this.#ofEvent = undefined;
      throw error;
    }
  }

  /** Returns the programmes with an active rule for the event. */
  async rewarding(event: string): Promise<EarningProgramme[]> {
    const programmes = await this.get(await this.campaignIds(event), event);
    return [...programmes.values()].filter(({ rules }) => rules.some((rule) => rule.active && rule.event === event));
  }
}
