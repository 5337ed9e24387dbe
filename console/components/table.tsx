import type { ComponentChildren } from 'preact';

export interface Column<Row, Order extends string = string> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Names the order of the API, if the list can be sorted by this column. */
  readonly order?: Order;
  readonly isNumber?: boolean;
  /** True if a narrow screen leaves the column out. */
  readonly isExtra?: boolean;
}

/** Returns the classes of a column's cells. */
export const classOf = ({ isNumber, isExtra }: { isNumber?: boolean | undefined; isExtra?: boolean | undefined }) =>
  [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ') || undefined;

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
}

/** Shows a short list without pages, inside a panel. */
export function Table<Row>({ rows, columns, idOf }: TableProps<Row>) {
  return (
    <table class="list small">
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isExtra }) => (
            <th key={title} scope="col" class={classOf({ isNumber, isExtra })}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ title, cell, isNumber, isExtra }) => (
              <td key={title} class={classOf({ isNumber, isExtra })}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
