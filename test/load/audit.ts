import * as v from 'valibot';
import type { Books } from './books.ts';
import { card, customer, headersOf, members, openingPoints, pendingPoints, tills } from './shop.ts';

const parallel = 8;
const pageSize = 100;
/** The interface shows no later page. */
const lastPage = 100;

const headers = { ...headersOf(tills[0]), 'Content-Type': 'application/json' };

const cardReply = v.object({ loyalty_card: v.object({ balance: v.number() }) });
const ledgerPage = v.object({
  data: v.array(v.object({ type: v.string(), points: v.number(), balance: v.number() })),
  total: v.number(),
  has_more: v.boolean(),
});
const activityPage = v.object({ data: v.array(v.object({ id: v.string(), type: v.string() })), total: v.number() });
const pendingReply = v.object({ total: v.number() });

/** The results. Faults are in words. */
export interface Audit {
  readonly faults: string[];
  readonly points: number;
  readonly ledgerEntries: number;
  readonly activities: number;
}

class Auditor {
  readonly #baseUrl: string;
  readonly #books: Books;
  readonly faults: string[] = [];
  points = 0;
  earned = 0;
  ledgerEntries = 0;
  activities = 0;

  constructor(baseUrl: string, books: Books) {
    this.#baseUrl = baseUrl;
    this.#books = books;
  }

  async member(member: number): Promise<void> {
    const { balance } = (await this.#ask(`/v1/vouchers/${card(member)}`, cardReply)).loyalty_card;
    this.points += balance;
    this.#check(`the balance of ${card(member)}`, balance, this.#books.balances[member]);
    this.#check(
      `the sum of the ledger of ${card(member)} and what it came with`,
      openingPoints + (await this.#ledger(member)),
      balance,
    );
    this.#check(
      `the events in the activities of ${customer(member)}`,
      await this.#events(member),
      this.#books.events[member],
    );
    // Pending points have no list, so a change to them reveals their total.
    const path = `/v1/loyalties/members/${card(member)}/pending-points/${pendingPoints(member)}/balance`;
    const { total } = await this.#ask(path, pendingReply, { points: 1 });
    this.#check(`the pending points of ${card(member)}`, total - 1, this.#books.pending[member]);
  }

  wholes(): void {
    this.#check('the points credited by events', this.earned, this.#books.earned);
    this.#check('the points of all cards', this.points, members * openingPoints + this.#books.earned);
  }

  /**
   * Walks the ledger, newest first: each balance follows from the previous balance, and the first from the card's
   * initial points. Returns the sum.
   */
  async #ledger(member: number): Promise<number> {
    let sum = 0;
    let entries = 0;
    let later: { points: number; balance: number } | undefined;
    for (let page = 1; ; page++) {
      if (page > lastPage) {
        this.faults.push(`the ledger of ${card(member)} is too long to be read by pages: the run was too long`);
        break;
      }
      const path = `/v1/vouchers/${card(member)}/transactions?limit=${pageSize}&page=${page}`;
      const { data, total, has_more } = await this.#ask(path, ledgerPage);
      for (const entry of data) {
        sum += entry.points;
        if (entry.type === 'POINTS_ACCRUAL') this.earned += entry.points;
        if (later)
          this.#check(`a balance in the ledger of ${card(member)}`, entry.balance, later.balance - later.points);
        later = entry;
      }
      entries += data.length;
      if (has_more) continue;
      if (later) {
        this.#check(`the first balance in the ledger of ${card(member)}`, later.balance, openingPoints + later.points);
      }
      this.#check(`the entries in the ledger of ${card(member)}`, entries, total);
      break;
    }
    this.ledgerEntries += entries;
    return sum;
  }

  async #events(member: number): Promise<number> {
    let events = 0;
    let walked = 0;
    for (let after = ''; ; ) {
      const path = `/v1/customers/${customer(member)}/activities?limit=${pageSize}${after}`;
      const { data, total } = await this.#ask(path, activityPage);
      events += data.filter(({ type }) => type === 'customer.custom_event').length;
      walked += data.length;
      const last = data.at(-1);
      if (last && walked < total) {
        after = `&starting_after_id=${encodeURIComponent(last.id)}`;
        continue;
      }
      this.#check(`the activities of ${customer(member)}`, walked, total);
      this.activities += walked;
      return events;
    }
  }

  #check(what: string, is: number, should: number | undefined): void {
    if (is !== should) this.faults.push(`${what}: ${is} instead of ${should}`);
  }

  async #ask<S extends v.GenericSchema>(path: string, schema: S, body?: object): Promise<v.InferOutput<S>> {
    const reply = await fetch(`${this.#baseUrl}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${text}`);
    return v.parse(schema, JSON.parse(text));
  }
}

/** Compares all cards, ledgers and activities in the interface with what the replies have promised. */
export async function audit(baseUrl: string, books: Books): Promise<Audit> {
  const auditor = new Auditor(baseUrl, books);
  let next = 0;
  const work = async () => {
    while (next < members) await auditor.member(next++);
  };
  try {
    await Promise.all(Array.from({ length: parallel }, work));
    auditor.wholes();
  } catch (error) {
    auditor.faults.push(`the books could not be audited: ${error instanceof Error ? error.message : error}`);
  }
  return auditor;
}
