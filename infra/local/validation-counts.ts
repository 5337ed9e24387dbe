import { randomUUID } from 'node:crypto';
import type { Fact } from '#addons/reports/facts/fact-tables.ts';
import { findRefusalFacts } from '#addons/reports/facts/refusal-facts.ts';
import { countValidations, type LogEvent } from '#engine/campaigns/count-validations.ts';
import { validatedOnField } from '#engine/checkout/validations/tally.ts';
import { allOf } from '#kernel/core/all-of.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { Table } from '#kernel/table/table.ts';

/** Lines wait this long for others, as in CloudWatch Logs. */
const waitInMs = 500;

/** Counts validations from this machine's log and keeps refusals as facts, as the stack does from CloudWatch Logs. */
export class ValidationCounts {
  readonly #log: Dependencies['log'];
  #waiting: LogEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #table: (() => { table: Table; now: Date }) | undefined;
  #keep: ((facts: readonly Fact[]) => Promise<void>) | undefined;
  #onError: (error: unknown) => void = () => {};

  constructor(log: Dependencies['log']) {
    this.#log = log;
  }

  /** Writes the line, and keeps it for counting. */
  readonly log = (line: string): void => {
    this.#log(line);
    if (!line.includes(`"${validatedOnField}"`)) return;
    this.#waiting.push({ id: randomUUID(), message: line });
    this.#timer ??= setTimeout(() => void this.flush(), waitInMs).unref();
  };

  /** Starts counting in the table of these dependencies. */
  start({ dynamodb, tableName, clock }: Dependencies, onError: (error: unknown) => void): void {
    this.#table = () => ({ table: new Table(dynamodb, tableName, clock()), now: clock() });
    this.#onError = onError;
  }

  /** Hands refusals over to this keeper of facts. */
  keepRefusals(keep: (facts: readonly Fact[]) => Promise<void>): void {
    this.#keep = keep;
  }

  /** Counts all waiting lines. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting;
    if (!this.#table || events.length === 0) return;
    this.#waiting = [];
    const { table, now } = this.#table();
    const counted = countValidations(table, now, events);
    await allOf([counted, this.#keep?.(findRefusalFacts(events))]).catch(this.#onError);
  }
}
