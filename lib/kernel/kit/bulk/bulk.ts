import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { array, identifier, object, sentMetadata } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { ActionType } from '../jobs/action.ts';

/** Limits the rows of one request. */
export const maxRows = 100_000;

/** Declares a body that consists of its rows. */
export function rowsBody<S extends v.GenericSchema>(row: S) {
  return array(row, maxRows, 'rows');
}

/** The context of a row's use case. */
export interface RowWriting extends Writing {
  readonly actionId: string;
  /** The number of the row, from 1. For rows that run together it is the number of the first. */
  readonly row: number;
  /**
   * Counts the resources that the rows create and change, before they are committed. Rows that are not counted change
   * nothing.
   */
  readonly tally: (counts: RowTally) => void;
}

export interface RowTally {
  readonly created: number;
  readonly changed: number;
}

/** Describes a use case for each row of a body, which an action runs after the request. */
interface Described<S extends v.GenericSchema, R> {
  readonly type: ActionType;
  readonly body: S;
  readonly rows: (body: v.InferOutput<S>) => readonly R[];
  /** Names the resource of a row. Rows about one resource run in their order. */
  readonly subject: (row: R) => string | undefined;
  /**
   * Names a resource that several rows change, such as the count of their campaign. Its rows also run in their order.
   */
  readonly shared?: (row: R) => string | undefined;
  /** The field that names a failed row in the result. Its value is the row's `subject`. */
  readonly named: 'code' | 'source_id';
  /** Runs a row and commits once (`commit`). The same transaction notes the row as done. Errors of the catalogue fail the row. */
  readonly run: (context: RowWriting, row: R, body: v.InferOutput<S>) => Promise<unknown>;
  /** Runs up to `most` rows in a single transaction. If it is refused, they run one at a time. */
  readonly together?: {
    readonly most: number;
    readonly run: (context: RowWriting, rows: readonly R[], body: v.InferOutput<S>) => Promise<unknown>;
  };
  /** All rows run one after another, because each changes a shared item, such as a count. */
  readonly isSequence?: boolean;
  /** The result counts created, changed and unchanged rows. */
  readonly isCounted?: boolean;
  /** A name that no second row may have, and the one form of names that are equal. */
  readonly unique?: Unique<R>;
  /** Adds what the body contains besides its rows to the action's result. */
  readonly noted?: (body: v.InferOutput<S>) => ResultNotes;
}

interface Unique<R> {
  readonly named: (row: R) => string;
  readonly fold: (project: Project, name: string) => string;
}

/** Fields of an action's result besides its counts. */
interface ResultNotes {
  /** The encoding of a file that is not UTF-8. */
  readonly encoding?: string;
  /** Titles of columns that became metadata. */
  readonly metadata_columns?: readonly string[];
}

/** The work for one row. */
export interface Row {
  readonly subject: string | undefined;
  /** Rows of one lane run in their order. */
  readonly lane: string | undefined;
  /** A name that no second row may have. */
  readonly unique: string | undefined;
  readonly run: (context: RowWriting) => Promise<unknown>;
}

/** The rows of a body. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly isSequence: boolean;
  /** Runs the rows with these indexes in one transaction. */
  readonly together:
    | { readonly most: number; readonly run: (context: RowWriting, indexes: readonly number[]) => Promise<unknown> }
    | undefined;
}

/** Any bulk work, in the form that the worker needs. */
export interface Bulk {
  readonly type: ActionType;
  readonly named: 'code' | 'source_id';
  readonly isCounted: boolean;
  /** Reads rows from a stored body, with names in the form in which the project compares them. */
  readonly rowsIn: (kept: unknown, project: Project) => Rows;
}

export interface BulkOf<S extends v.GenericSchema> extends Bulk {
  readonly body: S;
  readonly count: (body: v.InferOutput<S>) => number;
  readonly noted: (body: v.InferOutput<S>) => ResultNotes;
}

export function bulk<S extends v.GenericSchema, R>(described: Described<S, R>): BulkOf<S> {
  const { type, body: schema, named, rows: rowsOf, subject, run, together, isSequence = false } = described;
  const { shared = () => undefined, isCounted = false, unique } = described;
  return {
    type,
    body: schema,
    named,
    isCounted,
    count: (sent) => rowsOf(sent).length,
    noted: described.noted ?? (() => ({})),
    rowsIn: (kept, project) => {
      const body = v.parse(schema, kept);
      const rows = rowsOf(body);
      return {
        rows: rows.map((row) => ({
          subject: subject(row),
          lane: shared(row) ?? subject(row),
          unique: unique && (unique.fold(project, unique.named(row)) || undefined),
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

/** Sets the same metadata on many resources, which the caller's own ids name. */
export function metadataBulk(type: ActionType, run: (context: RowWriting, row: MetadataRow) => Promise<unknown>) {
  return bulk({
    type,
    body: object({ source_ids: array(identifier, maxRows), metadata: sentMetadata }),
    rows: ({ source_ids, metadata }) => source_ids.map((source_id) => ({ source_id, metadata })),
    subject: ({ source_id }) => source_id,
    named: 'source_id',
    run,
  });
}
