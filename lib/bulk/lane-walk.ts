import type { Writing } from '../context.ts';
import { errorCatalogue, ServiceError } from '../errors.ts';
import type { JobContext, Outcome } from '../jobs/run.ts';
import { lacksCapacity } from '../table/conflicts.ts';
import { change, commitApart, type Effect, insert } from '../table/effects.ts';
import { tableShape } from '../table/keys.ts';
import type { ItemKey } from '../table/kind.ts';
import { read } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import type { Bulk, Row } from './bulk.ts';
import { failedRows, type Lane, type laneItem, lanes, partsExpireAt } from './job.ts';

export interface NumberedRow extends Row {
  /** In the body, from 1. */
  readonly number: number;
}

export interface LaneRows {
  projectId: string;
  actionId: string;
  lane: number;
  rows: readonly NumberedRow[];
}

/** Digits of the largest number of a row. */
const rowDigits = 6;

/** Failed rows stand in the order of the body. */
function rowId(number: number): string {
  return String(number).padStart(rowDigits, '0');
}

/** Another run has done the row. */
class TakenOver extends Error {}

const start: Lane = { position: 0, done: 0, failed: 0 };

/** Its caller has to come again, and nothing is wrong with the row. */
function isPassing(error: unknown): boolean {
  return lacksCapacity(error) || (error instanceof ServiceError && error.key === 'too_many_requests');
}

/** Goes from row to row of one lane. Each row that is done moves the lane in its own transaction, so that it is done once. */
export class LaneWalk {
  readonly #context: JobContext;
  readonly #table: Table;
  readonly #bulk: Bulk;
  readonly #actionId: string;
  readonly #lane: ItemKey<typeof laneItem>;
  readonly #rows: readonly NumberedRow[];

  constructor(context: JobContext, bulk: Bulk, { projectId, actionId, lane, rows }: LaneRows) {
    this.#context = context;
    this.#table = context.newTable();
    this.#bulk = bulk;
    this.#actionId = actionId;
    this.#lane = lanes(projectId, actionId, String(lane));
    this.#rows = rows;
  }

  async run(writing: Omit<Writing, 'table'>, afterRow: () => Promise<void> | undefined): Promise<Outcome> {
    let at = await this.#read();
    for (let row = this.#rows[at.position]; row; row = this.#rows[at.position]) {
      if (this.#context.isTimeUp()) return 'next';
      const outcome = await this.#do(row, at, { ...writing, table: this.#table });
      if (outcome === 'later') return 'later';
      at = outcome === 'moved' ? { ...at, position: at.position + 1 } : await this.#read();
      await afterRow();
    }
    return 'done';
  }

  async #read(): Promise<Lane> {
    return (await read(this.#table, { lane: this.#lane })).lane ?? start;
  }

  #moved(update: Update, { position }: Lane, as: 'done' | 'failed'): Update {
    return update
      .whenStill('position', position === 0 ? undefined : position)
      .set(['position'], position + 1)
      .set([tableShape.timeToLive], partsExpireAt(this.#context.now))
      .add(as, 1);
  }

  /** `elsewhere`: another run has moved the lane. */
  async #do(row: NumberedRow, at: Lane, writing: Writing): Promise<'moved' | 'elsewhere' | 'later'> {
    let isNoted = false;
    this.#table.commitWith({
      write: { key: this.#lane, change: this.#moved(new Update(), at, 'done').build() },
      refusal: () => new TakenOver(),
      committed: () => {
        isNoted = true;
      },
    });
    try {
      await row.run(writing);
    } catch (error) {
      if (error instanceof TakenOver) return 'elsewhere';
      if (isPassing(error)) return 'later';
      if (isNoted) return 'moved';
      if (!(error instanceof ServiceError) || errorCatalogue[error.key].status >= 500) throw error;
      return this.#note([this.#change(at, 'failed'), this.#failure(row, error)]);
    }
    // A row that changes nothing commits nothing.
    return isNoted ? 'moved' : this.#note([this.#change(at, 'done')]);
  }

  #change(at: Lane, as: 'done' | 'failed'): Effect {
    return change(this.#lane, (update) => this.#moved(update, at, as));
  }

  #failure({ number, subject }: NumberedRow, { key, details }: ServiceError): Effect {
    const { message } = errorCatalogue[key];
    const expires = { [tableShape.timeToLive]: partsExpireAt(this.#context.now) };
    const item = { row: number, [this.#bulk.named]: subject, key, message, details, ...expires };
    return insert(failedRows(this.#lane.project, this.#actionId, rowId(number)), item);
  }

  async #note(effects: readonly Effect[]): Promise<'moved' | 'elsewhere'> {
    return (await commitApart(this.#table, effects)) ? 'moved' : 'elsewhere';
  }
}
