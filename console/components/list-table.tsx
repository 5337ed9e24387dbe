import { useRef } from 'preact/hooks';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { type Column, classOf } from './table.tsx';

interface ListTableProps<Row, Order extends string> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row, Order>[];
  readonly idOf: (row: Row) => string;
  readonly order: string | undefined;
  readonly open: string | undefined;
  readonly isStale: boolean;
  readonly opens: boolean;
  /** Holds the selected ids. Rows of a list without it cannot be selected. */
  readonly selection?: { readonly ids: ReadonlySet<string>; readonly set: (ids: ReadonlySet<string>) => void };
}

function nextOrder(order: string, current: string | undefined): string | undefined {
  if (current === order) return `-${order}`;
  return current === `-${order}` ? undefined : order;
}

function sortOf(order: string | undefined, current: string | undefined): 'ascending' | 'descending' | undefined {
  if (order === undefined || (current !== order && current !== `-${order}`)) return undefined;
  return current === order ? 'ascending' : 'descending';
}

function addressOf(id: string): string {
  const params = new URLSearchParams(query.value);
  params.set('open', id);
  return `?${params}`;
}

/** Shows the rows of a list. Arrows move along them, and a click with Shift selects a range. */
export function ListTable<Row, Order extends string>(props: ListTableProps<Row, Order>) {
  const { rows, columns, idOf, selection } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const anchor = useRef(0);

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('a.row') ?? [])];
    const at = event.target instanceof HTMLAnchorElement ? links.indexOf(event.target) : -1;
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[at + step]?.focus();
  }

  function select(index: number, isChecked: boolean, isRange: boolean): void {
    const from = isRange ? Math.min(anchor.current, index) : index;
    const to = isRange ? Math.max(anchor.current, index) : index;
    anchor.current = index;
    const ids = new Set(selection?.ids);
    for (const row of rows.slice(from, to + 1)) {
      if (isChecked) ids.add(idOf(row));
      else ids.delete(idOf(row));
    }
    selection?.set(ids);
  }

  return (
    <table class={props.isStale ? 'list stale' : 'list'}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" class="check">
              <input
                type="checkbox"
                aria-label={words.list.selectAll}
                checked={rows.every((row) => selection.ids.has(idOf(row)))}
                onClick={({ currentTarget }) =>
                  selection.set(new Set(currentTarget.checked ? rows.map(idOf) : undefined))
                }
              />
            </th>
          )}
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)} aria-sort={sortOf(column.order, props.order)}>
              {column.order ? (
                <button
                  type="button"
                  onClick={() =>
                    setQuery({ order: nextOrder(column.order ?? '', props.order), page: undefined, after: undefined })
                  }
                >
                  {column.title}
                </button>
              ) : (
                column.title
              )}
            </th>
          ))}
        </tr>
      </thead>
      {/* The links inside have the focus. The body only hears their arrows. */}
      <tbody ref={body} onKeyDown={move}>
        {rows.map((row, place) => (
          <tr key={idOf(row)} class={idOf(row) === props.open ? 'open' : undefined}>
            {selection && (
              <td class="check">
                <input
                  type="checkbox"
                  aria-label={words.list.select(idOf(row))}
                  checked={selection.ids.has(idOf(row))}
                  onClick={({ currentTarget, shiftKey }) => select(place, currentTarget.checked, shiftKey)}
                />
              </td>
            )}
            {columns.map((column, index) => (
              <td key={column.title} class={classOf(column)}>
                {index === 0 && props.opens ? (
                  <a class="row" href={addressOf(idOf(row))}>
                    {column.cell(row)}
                  </a>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
