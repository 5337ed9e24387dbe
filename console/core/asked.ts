/** Describes what a list requests, and what it gets. */

export interface Facet {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

/** Names a column by which rows are ordered. A sign before it reverses the order. */
export type Ordered<Order extends string> = Order | `-${Order}`;

export interface Asked<Order extends string = string> {
  readonly limit: number;
  readonly page: number;
  /** Is the cursor of a list that has no numbers of pages. */
  readonly after: string | undefined;
  readonly order: Ordered<Order> | undefined;
  readonly text: string | undefined;
  readonly facet: (name: string) => string | undefined;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
  /** Is the cursor of the next page, in a list with cursors. */
  readonly next?: string | undefined;
  /** Counts the rows that were looked at, in a list that no index narrows. */
  readonly looked?: number | undefined;
}
