import { members, openingPending, openingPoints } from './shop.ts';

/** Adds up what replies have promised: each member's card and events, by the member's number. */
export class Books {
  readonly balances: number[] = Array.from({ length: members }, () => openingPoints);
  readonly pending: number[] = Array.from({ length: members }, () => openingPending);
  readonly events: number[] = Array.from({ length: members }, () => 0);
  /** Points credited by events. */
  earned = 0;
  transfers = 0;

  event(member: number, { points = 0, pending = 0 }: { points?: number; pending?: number }): void {
    this.events[member] = (this.events[member] ?? 0) + 1;
    this.#credit(member, points);
    this.earned += points;
    this.adjusted(member, pending);
  }

  adjusted(member: number, points: number): void {
    this.pending[member] = (this.pending[member] ?? 0) + points;
  }

  transferred(to: number, from: readonly { member: number; points: number }[]): void {
    this.transfers += 1;
    for (const { member, points } of from) {
      this.#credit(member, -points);
      this.#credit(to, points);
    }
  }

  #credit(member: number, points: number): void {
    this.balances[member] = (this.balances[member] ?? 0) + points;
  }
}
