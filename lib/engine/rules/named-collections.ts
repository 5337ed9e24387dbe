import * as v from 'valibot';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, check, type Effect } from '#kernel/table/effects.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { readNeeds } from './needs.ts';
import { validationRule } from './resource.ts';
import type { RuleDocument } from './shape.ts';

/** Increases when a rule that names a collection is saved, so that a search for such rules notices newer rules. */
const savings = projectKind(kinds.rulesNamingCollections, v.object({ saved: v.optional(count) }));

/** Returns the effects that count the rule, for the transaction that writes the rule. */
export function noteNamedCollections(projectId: string, document: RuleDocument): Effect[] {
  if (readNeeds(document).collections.size === 0) return [];
  return [change(savings(projectId), (update) => update.add('saved', 1))];
}

interface Naming {
  /** The ids of rules. */
  readonly rules: readonly string[];
  /**
   * A check for a write that must not happen if a rule names the collection. It is refused if such a rule was saved
   * after the search.
   */
  readonly asRead: Effect;
}

/** Finds the rules that name the collection. Reads all rules of the project, which are few. */
export async function findRulesNaming({ table, project }: Reading, collectionId: string): Promise<Naming> {
  const { before } = await read(table, { before: savings(project.id) });
  const all = await readChildren(table, validationRule.few, project.id);
  return {
    rules: all.filter((rule) => readNeeds(rule).collections.has(collectionId)).map(({ id }) => id),
    asRead: check(savings(project.id), (update) => update.whenStill('saved', before?.saved)),
  };
}
