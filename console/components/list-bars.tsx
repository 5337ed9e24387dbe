import type { ComponentChildren } from 'preact';
import type { Asked, Facet } from '../core/asked.ts';
import { count } from '../core/format.ts';
import { setQuery } from '../core/router.ts';
import { words } from '../words.ts';

interface FiltersProps {
  readonly asked: Asked;
  readonly search: string | undefined;
  readonly facets: readonly Facet[];
}

/** Shows the search and the filters of a list. A change leads to the first page. */
export function Filters({ asked, search, facets }: FiltersProps) {
  const change = (name: string, value: string) => setQuery({ [name]: value, page: undefined, after: undefined });
  return (
    <div class="filters">
      {search && (
        <input
          type="search"
          aria-label={search}
          placeholder={search}
          value={asked.text ?? ''}
          onChange={({ currentTarget }) => change('q', currentTarget.value.trim())}
        />
      )}
      {facets.map(({ name, label, choices }) => (
        <select
          key={name}
          aria-label={label}
          value={asked.facet(name) ?? ''}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
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
  );
}

interface PagesProps {
  readonly asked: Asked;
  readonly shown: number;
  readonly total: number | undefined;
  readonly hasMore: boolean | undefined;
}

/** Leads through a list by the numbers of its pages. */
export function Pages({ asked, shown, total, hasMore }: PagesProps) {
  const { page, limit } = asked;
  const last = (page - 1) * limit + shown;
  const isMore = hasMore ?? (total !== undefined && last < total);
  if (!isMore && page === 1) return null;
  return (
    <nav class="pages" aria-label={words.list.pages}>
      <button type="button" disabled={page === 1} onClick={() => setQuery({ page: String(page - 1) })}>
        {words.list.previous}
      </button>
      <span>{words.list.range(count(last - shown + 1), count(last), total === undefined ? '' : count(total))}</span>
      <button type="button" disabled={!isMore} onClick={() => setQuery({ page: String(page + 1) })}>
        {words.list.next}
      </button>
    </nav>
  );
}

/** Leads through a list by cursors. The browser's own button leads back. */
export function CursorPages({ after, next }: { after: string | undefined; next: string | undefined }) {
  if (!after && !next) return null;
  return (
    <nav class="pages" aria-label={words.list.pages}>
      <button type="button" disabled={!after} onClick={() => setQuery({ after: undefined })}>
        {words.list.first}
      </button>
      <button type="button" disabled={!next} onClick={() => setQuery({ after: next })}>
        {words.list.next}
      </button>
    </nav>
  );
}

interface SelectedProps {
  readonly ids: readonly string[];
  readonly clear: () => void;
  readonly children: ComponentChildren;
}

/** Shows the actions for the selected rows. */
export function Selected({ ids, clear, children }: SelectedProps) {
  return (
    <div class="selected" role="status">
      {ids.length === 0 ? (
        <small>{words.list.selectHint}</small>
      ) : (
        <>
          <b>{words.list.selected(count(ids.length))}</b>
          {children}
          <button type="button" onClick={() => navigator.clipboard.writeText(ids.join('\n'))}>
            {words.copy}
          </button>
          <button type="button" onClick={clear}>
            {words.list.clear}
          </button>
        </>
      )}
    </div>
  );
}
