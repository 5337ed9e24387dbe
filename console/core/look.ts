/** Looks for rows in a state that no index contains, in the order of the list. */

interface Part<Row> {
  readonly rows: readonly Row[];
  /** The id after which the next part begins. */
  readonly next: string | undefined;
}

interface Look<Row> {
  /** The id after which the look begins. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly read: (after: string | undefined) => Promise<Part<Row>>;
  /** Returns the ids of the rows that fit. */
  readonly choose: (rows: readonly Row[]) => Promise<ReadonlySet<string>>;
  readonly clock?: () => number;
}

interface Found<Row> {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly looked: number;
}

/**
 * A user waits at most a second, which must also cover the first load of the console. The last part may begin at the
 * end.
 */
const longestInMs = 200;

/**
 * Looks part by part until a page is full, the list ends, or the user would have to wait. A cursor skips and repeats no
 * row.
 */
export async function lookThrough<Row extends { readonly id: string }>(look: Look<Row>): Promise<Found<Row>> {
  const { limit, read, choose, clock = () => performance.now() } = look;
  const end = clock() + longestInMs;
  const rows: Row[] = [];
  let after = look.after;
  let looked = 0;
  for (;;) {
    const part = await read(after);
    const fitting = part.rows.length > 0 ? await choose(part.rows) : new Set();
    for (const [index, row] of part.rows.entries()) {
      looked += 1;
      if (fitting.has(row.id)) rows.push(row);
      const isMore = index < part.rows.length - 1 || part.next !== undefined;
      if (rows.length === limit) return { rows, next: isMore ? row.id : undefined, looked };
    }
    after = part.next;
    if (after === undefined || clock() >= end) return { rows, next: after, looked };
  }
}
