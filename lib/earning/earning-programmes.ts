import type { Reading } from '../context.ts';
import { findProgrammes, type Programme } from '../loyalty/programme.ts';
import { readChildren } from '../table/read.ts';
import { type EarningRule, earningProgrammes, earningRules } from './earning-rule.ts';
import { collectionsIn } from './measure.ts';

/** A programme with what it gives for events. */
export interface EarningProgramme extends Programme {
  rules: readonly EarningRule[];
}

/** The collections by which active rules of the programmes for the event tell lines apart. */
export function collectionsOf(programmes: readonly EarningProgramme[], event: string): string[] {
  const ids = programmes
    .flatMap(({ rules }) => rules)
    .flatMap(({ active, event: own, loyalty }) =>
      active && own === event && loyalty.type === 'PROPORTIONAL' ? collectionsIn(loyalty) : [],
    );
  return [...new Set(ids)];
}

/** Reads programmes once for all attempts at an event: others at the same card do not change what its campaign says. */
export class Programmes {
  readonly #context: Reading;
  readonly #known = new Map<string, EarningProgramme | undefined>();
  #ofEvent: readonly string[] | undefined;

  constructor(context: Reading) {
    this.#context = context;
  }

  /** Those of these campaigns that are there, by id. */
  async get(ids: readonly string[]): Promise<Map<string, EarningProgramme>> {
    const { table, project } = this.#context;
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    const [programmes, rules] = await Promise.all([
      findProgrammes(this.#context, missing),
      Promise.all(missing.map((id) => readChildren(table, earningRules, project.id, id))),
    ]);
    for (const [index, id] of missing.entries()) {
      const programme = programmes.get(id);
      this.#known.set(id, programme && { ...programme, rules: rules[index] ?? [] });
    }
    return new Map(
      ids.flatMap((id) => {
        const programme = this.#known.get(id);
        return programme ? [[id, programme] as const] : [];
      }),
    );
  }

  /** Those with an active rule for the event. */
  async rewarding(event: string): Promise<EarningProgramme[]> {
    const { table, project } = this.#context;
    this.#ofEvent ??= (await readChildren(table, earningProgrammes, project.id, event)).map(
      ({ campaign_id }) => campaign_id,
    );
    const programmes = await this.get(this.#ofEvent);
    return [...programmes.values()].filter(({ rules }) => rules.some((rule) => rule.active && rule.event === event));
  }

  /** The collections by which their active rules for the event tell lines apart. */
  async collectionsFor(event: string): Promise<string[]> {
    return collectionsOf(await this.rewarding(event), event);
  }
}
