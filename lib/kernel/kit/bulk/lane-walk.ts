import { errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { isOutOfCapacity } from '#kernel/table/conflicts.ts';
import { change, commitApart, type Effect, insert } from '#kernel/table/effects.ts';
import { tableShape } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import type { JobContext, RunOutcome } from '../jobs/run.ts';
import type { Bulk, Row, Rows, RowTally, RowWriting } from './bulk.ts';
import { failedRows, type Lane, type laneItem, lanes, partsExpireAt, rowId } from './job.ts';

export interface NumberedRow extends Row {
  /** The place in the body or file, from 1. */
  readonly number: number;
  /** The place among the rows that were read together. */
  readonly index: number;
  /** Refuses the row before it runs. */
  readonly refusal: ServiceError | undefined;
}

export interface LaneRows {
  projectId: string;
  actionId: string;
  lane: string;
  rows: readonly NumberedRow[];
  together: Rows['together'];
}

type LaneUpdate = Update<typeof laneItem>;

/** Another run has done the row. */
class TakenOver extends Error {}

const start: Lane = { position: 0, done: 0, failed: 0, created: 0, changed: 0 };
const unchanged: RowTally = { created: 0, changed: 0 };

/** Returns whether the error is transient, so that the row itself is correct and runs again later. */
function isPassing(error: unknown): boolean {
  return isOutOfCapacity(error) || (error instanceof ServiceError && error.key === 'too_many_requests');
}

/**
 * Walks over the rows of a lane, one at a time or several in a transaction. Each transaction also moves the lane, so
 * that each row runs once.
 */
export class LaneWalk {
  readonly #context: JobContext;
  readonly #table: Table;
  readonly #bulk: Bulk;
  readonly #actionId: string;
  readonly #lane: ItemKey<typeof laneItem>;
  readonly #rows: readonly NumberedRow[];
  readonly #together: Rows['together'];
  /** Rows before this place run one at a time, because one of them was refused in a common transaction. */
  #singlyBefore = 0;

  constructor(context: JobContext, bulk: Bulk, { projectId, actionId, lane, rows, together }: LaneRows) {
    this.#context = context;
    this.#table = context.newTable();
    this.#bulk = bulk;
    this.#actionId = actionId;
    this.#lane = lanes(projectId, actionId, lane);
    this.#rows = rows;
    this.#together = together;
  }

  async run(writing: Omit<Writing, 'table'>, afterRow: () => Promise<void> | undefined): Promise<RunOutcome> {
    let at = await this.#read();
    for (let rows = this.#next(at); rows.length > 0; rows = this.#next(at)) {
      if (this.#context.isTimeUp()) return 'next';
      const outcome = await this.#do(rows, at, {
        ...writing,
        table: this.#table,
        actionId: this.#actionId,
        row: rows[0]?.number ?? 0,
        tally: () => undefined,
      });
      if (outcome === 'later') return 'later';
      if (outcome === 'refused') this.#singlyBefore = at.position + rows.length;
      at = outcome === 'moved' ? { ...at, position: at.position + rows.length } : await this.#read();
      await afterRow();
    }
    return 'done';
  }

  #next({ position }: Lane): readonly NumberedRow[] {
    const most = position < this.#singlyBefore ? 1 : (this.#together?.most ?? 1);
    return this.#rows.slice(position, position + most);
  }

  async #read(): Promise<Lane> {
    return (await read(this.#table, { lane: this.#lane })).lane ?? start;
  }

  #moved(update: LaneUpdate, { position }: Lane, as: 'done' | 'failed', rows: number): LaneUpdate {
    return update
      .whenStill('position', position === 0 ? undefined : position)
      .set(['position'], position + rows)
      .set([tableShape.timeToLive], partsExpireAt(this.#context.now))
      .add(as, rows);
  }

  async #run(rows: readonly NumberedRow[], writing: RowWriting): Promise<unknown> {
    const [row, ...others] = rows;
    const refusal = rows.find((one) => one.refusal)?.refusal;
    if (refusal) throw refusal;
    if (others.length === 0) return row?.run(writing);
    return this.#together?.run(
      writing,
      rows.map(({ index }) => index),
    );
  }

  /**
   * Runs rows. `elsewhere` means that another run has moved the lane. `refused` means that one of several rows was refused, and that none
   * was done.
   */
  async #do(
    rows: readonly NumberedRow[],
    at: Lane,
    writing: RowWriting,
  ): Promise<'moved' | 'elsewhere' | 'later' | 'refused'> {
    let isNoted = false;
    const tally = ({ created, changed }: RowTally) => {
      const moved = this.#moved(new Update(), at, 'done', rows.length);
      if (created > 0) moved.add('created', created);
      if (changed > 0) moved.add('changed', changed);
      this.#table.commitWith({
        write: { key: this.#lane, change: moved.build() },
        refusal: () => new TakenOver(),
        committed: () => {
          isNoted = true;
        },
      });
    };
    tally(unchanged);
    try {
      await this.#run(rows, { ...writing, tally });
    } catch (error) {
      if (error instanceof TakenOver) return 'elsewhere';
      if (isPassing(error)) return 'later';
      if (isNoted) return 'moved';
      if (!(error instanceof ServiceError) || errorCatalogue[error.key].status >= 500) throw error;
      if (rows.length > 1) return 'refused';
      return this.#note([this.#change(at, 'failed'), ...rows.map((row) => this.#failure(row, error))]);
    }
    // A row that changes nothing commits nothing.
    return isNoted ? 'moved' : this.#note([this.#change(at, 'done', rows.length)]);
  }

  #change(at: Lane, as: 'done' | 'failed', rows = 1): Effect {
    return change(this.#lane, (update) => this.#moved(update, at, as, rows));
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
