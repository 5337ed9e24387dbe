import * as v from 'valibot';
import { count } from '../core/schema.ts';
import type { Reading } from '../http/context.ts';
import { change, check, type Effect } from '../table/effects.ts';
import { projectKind } from '../table/kind.ts';
import { read, readChildren } from '../table/read.ts';
import { needsOf } from './needs.ts';
import { validationRule } from './resource.ts';
import type { RuleDocument } from './shape.ts';

/** Goes up with each saving of a rule that names a collection, so that who has looked for such rules sees whether there are more since. */
const savings = projectKind('RULES_NAMING_COLLECTIONS', v.object({ saved: v.optional(count) }));

/** Goes with the write that saves a rule. */
export function namingSaved(projectId: string, document: RuleDocument): Effect[] {
  if (needsOf(document).collections.size === 0) return [];
  return [change(savings(projectId), (update) => update.add('saved', 1))];
}

interface Naming {
  /** Ids of rules. */
  readonly rules: readonly string[];
  /** Goes with a write that no rule may name the collection for: refused where one was saved since. */
  readonly asRead: Effect;
}

/** Which rules name the collection. Reads all of the project, of which there are few. */
export async function rulesNaming({ table, project }: Reading, collectionId: string): Promise<Naming> {
  const { before } = await read(table, { before: savings(project.id) });
  const all = await readChildren(table, validationRule.few, project.id);
  return {
    rules: all.filter((rule) => needsOf(rule).collections.has(collectionId)).map(({ id }) => id),
    asRead: check(savings(project.id), (update) => update.whenStill('saved', before?.saved)),
  };
}
