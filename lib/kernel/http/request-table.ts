import type { TransactionOutcome, Write } from '#kernel/table/command.ts';
import { readKinds } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { graveOf } from '#kernel/table/tombstone.ts';
import { type MarkedRequest, markedKinds, removedKinds, requestMark, writeMark } from './request-mark.ts';

const name = '#lastRequest';
const value = ':lastRequest';

/**
 * Returns the write with the mark, unless changes to its kind of item are never reported. A removal leaves a tombstone
 * for a day, which has the mark.
 */
function marked(write: Write, mark: string, now: Date): Write {
  const { kind } = readKinds(write.key);
  if (!markedKinds.has(kind)) return write;
  if ('insert' in write) return { ...write, insert: { ...write.insert, [requestMark]: mark } };
  if ('replace' in write) return { ...write, replace: { ...write.replace, [requestMark]: mark } };
  if ('remove' in write && removedKinds.has(kind))
    return { key: write.key, replace: { [requestMark]: mark, ...graveOf(now) }, when: write.remove };
  if (!('change' in write) || Object.hasOwn(write.change.names, name)) return write;
  const { set, names, values } = write.change;
  const setting = `SET ${name} = ${value}`;
  const change = {
    ...write.change,
    set: set.startsWith('SET ') ? `${setting}, ${set.slice(4)}` : `${setting} ${set}`,
    names: { ...names, [name]: requestMark },
    values: { ...values, [value]: mark },
  };
  return { ...write, change };
}

/** Gives one request access to the table, and marks items with the request, so that webhooks can name it. */
export class RequestTable extends Table {
  readonly #mark: string;
  readonly #now: Date;

  constructor(request: MarkedRequest, ...[client, tableName, now, options]: ConstructorParameters<typeof Table>) {
    super(client, tableName, now, options);
    this.#mark = writeMark(request);
    this.#now = now;
  }

  #marked(writes: readonly Write[]): Write[] {
    return writes.map((write) => marked(write, this.#mark, this.#now));
  }

  override commit(writes: readonly Write[]): Promise<TransactionOutcome> {
    return super.commit(this.#marked(writes));
  }

  override transact(writes: readonly Write[]): Promise<TransactionOutcome> {
    return super.transact(this.#marked(writes));
  }
}
