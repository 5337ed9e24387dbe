import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Asked, Facet, Ordered, Rows } from '../core/asked.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { wordOf } from '../core/part.ts';
import { query } from '../core/router.ts';
import { words } from '../words.ts';
import { Empty, Page, Refused, Waiting } from './bits.tsx';
import { Drawer } from './drawer.tsx';
import { CursorPages, Filters, Pages, Selected } from './list-bars.tsx';
import { ListTable } from './list-table.tsx';
import { LookFurther } from './look-further.tsx';
import type { Column } from './table.tsx';

interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly reload: () => void;
  readonly clear: () => void;
}

interface ListProps<Row, Order extends string> {
  readonly title: ComponentChildren;
  readonly sub?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Shows further parts of the screen above the list. */
  readonly above?: ComponentChildren;
  readonly columns: readonly Column<Row, Order>[];
  readonly idOf: (row: Row) => string;
  readonly load: (asked: Asked<Order>) => Promise<Rows<Row>>;
  readonly detail?: (id: string, reload: () => void) => ComponentChildren;
  /** Shows the actions for selected rows. */
  readonly withSelected?: (selection: Selection<Row>) => ComponentChildren;
  readonly search?: string;
  readonly facets?: readonly Facet[];
  readonly empty: readonly [title: string, hint: string];
  /** Returns whether rows still change by themselves. The list is then read again each second. */
  readonly isLive?: (rows: readonly Row[]) => boolean;
  /** Names further parts of the address that change the contents of the list. */
  readonly follows?: readonly string[];
  /** Changes when the list must be read again. */
  readonly version?: number;
}

const pageSize = 25;
const none: ReadonlySet<string> = new Set();

function readAsked<Order extends string>(columns: readonly { readonly order?: Order }[]): Asked<Order> {
  const get = (name: string) => query.value.get(name) ?? undefined;
  const orders = columns.flatMap(({ order }) => (order ? ([order, `-${order}`] as const) : []));
  const order = wordOf<Ordered<Order>>(orders, get('order'));
  const [page, text, after] = [Number(get('page') ?? 1), get('q'), get('after')];
  return { limit: pageSize, page, order, text, after, facet: get };
}

/** Shows a list with its search, order, pages and drawer. All of them are in the address. */
export function List<Row, Order extends string = never>(props: ListProps<Row, Order>) {
  const asked = readAsked(props.columns);
  const { idOf, facets = [], withSelected } = props;
  const filters = [...facets.map(({ name }) => name), ...(props.follows ?? [])].map(asked.facet);
  const key = [asked.page, asked.order, asked.text, asked.after, ...filters].join('\n');
  const loaded = useLoad(`${key}\n${props.version}`, () => props.load(asked));
  const open = query.value.get('open') ?? undefined;
  const selected = useSignal(none);
  const clear = () => {
    selected.value = none;
  };
  useEffect(clear, [key]);

  const { rows, total, hasMore, next, looked } = loaded.data ?? { rows: [] };
  const isLive = props.isLive?.(rows) ?? false;
  useFollow(isLive, loaded);
  const chosen = rows.filter((row) => selected.value.has(idOf(row)));
  const isFiltered = asked.text !== undefined || filters.some(Boolean);
  const nothing = next ? [words.list.nothingYet, words.list.lookOn] : [words.list.nothing, words.list.otherFilter];
  const [title = '', hint] = isFiltered ? nothing : props.empty;
  const selection = {
    ids: selected.value,
    set: (ids: ReadonlySet<string>) => {
      selected.value = ids;
    },
  };
  return (
    <div class={open && props.detail ? 'split' : undefined}>
      <Page title={props.title} sub={props.sub} actions={props.actions}>
        {props.above}
        {(props.search || facets.length > 0) && <Filters asked={asked} search={props.search} facets={facets} />}
        {loaded.refusal && <Refused refusal={loaded.refusal} again={loaded.reload} />}
        {!loaded.data && !loaded.refusal && <Waiting lines={8} />}
        {loaded.data && rows.length === 0 && <Empty title={title} hint={hint} />}
        {rows.length > 0 && withSelected && (
          <Selected ids={chosen.map(idOf)} clear={clear}>
            {withSelected({ rows: chosen, reload: loaded.reload, clear })}
          </Selected>
        )}
        {rows.length > 0 && (
          <ListTable
            rows={rows}
            columns={props.columns}
            idOf={idOf}
            order={asked.order}
            open={open}
            isStale={loaded.isLoading}
            opens={props.detail !== undefined}
            {...(withSelected ? { selection } : {})}
          />
        )}
        {looked !== undefined ? (
          <LookFurther after={asked.after} next={next} looked={looked} found={rows.length} answers={loaded.answers} />
        ) : asked.after || next ? (
          <CursorPages after={asked.after} next={next} />
        ) : (
          <Pages asked={asked} shown={rows.length} total={total} hasMore={hasMore} />
        )}
      </Page>
      {open && props.detail && <Drawer key={open}>{props.detail(open, loaded.reload)}</Drawer>}
    </div>
  );
}
