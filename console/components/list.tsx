import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { count } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { Empty, Page, Refused, Waiting } from './bits.tsx';
import { Drawer } from './drawer.tsx';
import type { Column } from './table.tsx';

export interface Facet {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface Asked {
  readonly limit: number;
  readonly page: number;
  readonly order: string | undefined;
  readonly text: string | undefined;
  readonly facet: (name: string) => string | undefined;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
}

interface ListProps<Row> {
  readonly title: string;
  readonly sub?: string;
  readonly actions?: ComponentChildren;
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly load: (asked: Asked) => Promise<Rows<Row>>;
  readonly detail?: (id: string, reload: () => void) => ComponentChildren;
  readonly search?: string;
  readonly facets?: readonly Facet[];
  readonly empty: readonly [title: string, hint: string];
  /** Changes when the list must be read again. */
  readonly version?: number;
}

const pageSize = 25;

function nextOrder(order: string, current: string | undefined): string | undefined {
  if (current === order) return `-${order}`;
  return current === `-${order}` ? undefined : order;
}

function readAsked(): Asked {
  const get = (name: string) => query.value.get(name) ?? undefined;
  return { limit: pageSize, page: Number(get('page') ?? 1), order: get('order'), text: get('q'), facet: get };
}

/** Shows a list with its search, order, pages and drawer. All of them are in the address. */
export function List<Row>(props: ListProps<Row>) {
  const asked = readAsked();
  const { columns, idOf, facets = [] } = props;
  const key = [asked.page, asked.order, asked.text, ...facets.map(({ name }) => asked.facet(name)), props.version];
  const loaded = useLoad(key.join('\n'), () => props.load(asked));
  const open = query.value.get('open') ?? undefined;
  const body = useRef<HTMLTableSectionElement>(null);

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('a.row') ?? [])];
    const at = links.indexOf(event.target as HTMLAnchorElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[at + step]?.focus();
  }

  function addressOf(id: string): string {
    const params = new URLSearchParams(query.value);
    params.set('open', id);
    return `?${params}`;
  }

  const { rows, total, hasMore } = loaded.data ?? { rows: [] };
  const isFiltered = asked.text !== undefined || facets.some(({ name }) => asked.facet(name));
  const last = (asked.page - 1) * pageSize + rows.length;
  const isMore = hasMore ?? (total !== undefined && last < total);
  return (
    <div class={open && props.detail ? 'split' : undefined}>
      <Page title={props.title} sub={props.sub} actions={props.actions}>
        {(props.search || facets.length > 0) && (
          <div class="filters">
            {props.search && (
              <input
                type="search"
                aria-label={props.search}
                placeholder={props.search}
                value={asked.text ?? ''}
                onChange={({ currentTarget }) => setQuery({ q: currentTarget.value.trim(), page: undefined })}
              />
            )}
            {facets.map(({ name, label, choices }) => (
              <select
                key={name}
                aria-label={label}
                value={asked.facet(name) ?? ''}
                onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value, page: undefined })}
              >
                <option value="">{label}</option>
                {choices.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            ))}
          </div>
        )}
        {loaded.refusal && <Refused refusal={loaded.refusal} again={loaded.reload} />}
        {!loaded.data && !loaded.refusal && <Waiting lines={8} />}
        {loaded.data && rows.length === 0 && (
          <Empty
            title={isFiltered ? words.list.nothing : props.empty[0]}
            hint={isFiltered ? words.list.otherFilter : props.empty[1]}
          />
        )}
        {rows.length > 0 && (
          <table class={loaded.isLoading ? 'list stale' : 'list'}>
            <thead>
              <tr>
                {columns.map(({ title, order, isNumber, isExtra }) => (
                  <th
                    key={title}
                    scope="col"
                    class={`${isNumber ? 'number' : ''} ${isExtra ? 'extra' : ''}`}
                    aria-sort={
                      order && asked.order?.endsWith(order)
                        ? asked.order === order
                          ? 'ascending'
                          : 'descending'
                        : undefined
                    }
                  >
                    {order ? (
                      <button
                        type="button"
                        onClick={() => setQuery({ order: nextOrder(order, asked.order), page: undefined })}
                      >
                        {title}
                      </button>
                    ) : (
                      title
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            {/* The links inside take the focus. The body only hears their arrows. */}
            <tbody ref={body} onKeyDown={move}>
              {rows.map((row) => (
                <tr key={idOf(row)} class={idOf(row) === open ? 'open' : undefined}>
                  {columns.map(({ title, cell, isNumber, isExtra }, index) => (
                    <td key={title} class={`${isNumber ? 'number' : ''} ${isExtra ? 'extra' : ''}`}>
                      {index === 0 && props.detail ? (
                        <a class="row" href={addressOf(idOf(row))}>
                          {cell(row)}
                        </a>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {(isMore || asked.page > 1) && (
          <nav class="pages" aria-label={words.list.pages}>
            <button
              type="button"
              disabled={asked.page === 1}
              onClick={() => setQuery({ page: String(asked.page - 1) })}
            >
              {words.list.previous}
            </button>
            <span>
              {words.list.range(count(last - rows.length + 1), count(last), total === undefined ? '' : count(total))}
            </span>
            <button type="button" disabled={!isMore} onClick={() => setQuery({ page: String(asked.page + 1) })}>
              {words.list.next}
            </button>
          </nav>
        )}
      </Page>
      {open && props.detail && <Drawer key={open}>{props.detail(open, loaded.reload)}</Drawer>}
    </div>
  );
}
