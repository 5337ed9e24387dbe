import { occasionOf } from '../activities/activity.ts';
import type { Reading } from '../context.ts';
import { type Card, settlement } from '../ledger/card.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import { commitApart } from '../table/effects.ts';

/**
 * Writes off what has lapsed on the cards and moves their members, a transaction each, before something else is done to
 * them. `true` when there was something to do: the cards are then to be read again.
 */
export async function settleCards({ table, project, now }: Reading, cards: readonly Card[]): Promise<boolean> {
  const due = cards.flatMap((card) => settlement(card, occasionOf({ now })) ?? []);
  // One that is refused has been changed meanwhile: it is read again like the others.
  await Promise.all(due.map((changed) => commitApart(table, cardEffects(project.id, changed, now).effects)));
  return due.length > 0;
}
