import * as v from 'valibot';
import { array, identifier, object, sentMetadata } from '../../core/schema.ts';
import type { Writing } from '../../http/context.ts';
import type { ActionType } from '../jobs/action.ts';

/** Rows in one request. */
export const maxRows = 100_000;

/** A body that is its rows. */
export function rowsOf<S extends v.GenericSchema>(row: S) {
  return array(row, maxRows, 'rows');
}

/** A row's use case is called with this. */
export interface RowWriting extends Writing {
  readonly actionId: string;
}

/** One call for each row of a body, which an action makes behind the request. */
interface Described<S extends v.GenericSchema, R> {
  readonly type: ActionType;
  readonly body: S;
  readonly rows: (body: v.InferOutput<S>) => readonly R[];
  /** Names the thing that a row is about. Rows about one thing are done in their order. */
  readonly subject: (row: R) => string | undefined;
  /** Names a thing that several rows change, such as the count of their campaign. Its rows are done in their order, too. */
  readonly shared?: (row: R) => string | undefined;
  /** The field by which the result names a failed row; its value is the row's `subject`. */
  readonly named: 'code' | 'source_id';
  /** Commits once (`commit`): the row is noted as done in the same transaction. Errors of the catalogue fail the row. */
  readonly run: (context: RowWriting, row: R, body: v.InferOutput<S>) => Promise<unknown>;
  /** The same for up to `most` rows in one transaction. Where that is refused, they are done one by one. */
  readonly together?: {
    readonly most: number;
    readonly run: (context: RowWriting, rows: readonly R[], body: v.InferOutput<S>) => Promise<unknown>;
  };
  /** Whether all are done one after the other: where each changes one thing that is of them all, such as a count. */
  readonly isSequence?: boolean;
  /** Tells what the action's result says of the body besides. */
  readonly noted?: (body: v.InferOutput<S>) => ResultNotes;
}

/** Fields of an action's result besides its counts. */
export interface ResultNotes {
  /** Titles of columns that became metadata. */
  readonly metadata_columns?: readonly string[];
}

/** What is to be done for one row. */
export interface Row {
  readonly subject: string | undefined;
  /** Rows that have one lane are done in their order. */
  readonly lane: string | undefined;
  readonly run: (context: RowWriting) => Promise<unknown>;
}

/** The rows of a body. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly isSequence: boolean;
  /** Does those with these indexes in one transaction. */
  readonly together:
    | { readonly most: number; readonly run: (context: RowWriting, indexes: readonly number[]) => Promise<unknown> }
    | undefined;
}

/** Any of them, as the worker knows it. */
export interface Bulk {
  readonly type: ActionType;
  readonly named: 'code' | 'source_id';
  /** Of a body as it was kept. */
  readonly rowsIn: (kept: unknown) => Rows;
}

export interface BulkOf<S extends v.GenericSchema> extends Bulk {
  readonly body: S;
  readonly count: (body: v.InferOutput<S>) => number;
  readonly noted: (body: v.InferOutput<S>) => ResultNotes;
}

export function bulk<S extends v.GenericSchema, R>(described: Described<S, R>): BulkOf<S> {
  const { type, body: schema, named, rows: rowsOf, subject, run, together, isSequence = false } = described;
  const { shared = () => undefined } = described;
  return {
    type,
    body: schema,
    named,
    count: (sent) => rowsOf(sent).length,
    noted: described.noted ?? (() => ({})),
    rowsIn: (kept) => {
      const body = v.parse(schema, kept);
      const rows = rowsOf(body);
      return {
        rows: rows.map((row) => ({
          subject: subject(row),
          lane: shared(row) ?? subject(row),
          run: (context) => run(context, row, body),
        })),
        isSequence,
        together: together && {
          most: together.most,
          run: (context, indexes) =>
            together.run(
              context,
              indexes.flatMap((index) => rows.slice(index, index + 1)),
              body,
            ),
        },
      };
    },
  };
}

interface MetadataRow {
  source_id: string;
  metadata: Record<string, unknown>;
}

/** The same metadata for many, whom their callers' own ids name. */
export function metadataBulk(type: ActionType, run: (context: Writing, row: MetadataRow) => Promise<unknown>) {
  return bulk({
    type,
    body: object({ source_ids: array(identifier, maxRows), metadata: sentMetadata }),
    rows: ({ source_ids, metadata }) => source_ids.map((source_id) => ({ source_id, metadata })),
    subject: ({ source_id }) => source_id,
    named: 'source_id',
    run,
  });
}
