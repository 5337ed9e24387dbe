import { isRecord } from '../../../lib/core/is-record.ts';
import { type Source, SourceRefusal } from './source.ts';

/** Reads lists of a service page by page. */

export type Row = Record<string, unknown>;

interface Page {
  readonly rows: Row[];
  /** The place of the next page. */
  readonly next: string | undefined;
}

const limit = 100;
/** Lists by number end with this page. Some end earlier, and refuse the pages behind. */
const lastPage = 100;

/** Says how a list is asked for what was created at a moment and later, or earlier in a list with the newest first. */
export interface Windows {
  readonly isDescending?: boolean;
  readonly from: (moment: string) => Record<string, string>;
}

const shift = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();

/** The windows of lists, by the parameters that each of them has. Bounds are a moment wider where they are strict. */
export const windows = {
  range: { from: (moment: string) => ({ 'created_at[after]': shift(moment, -1) }) },
  dates: { from: (moment: string) => ({ start_date: moment }) },
  filter: {
    isDescending: true,
    from: (moment: string) => ({ 'filters[created_at][conditions][$before][0]': shift(moment, 1) }),
  },
} as const satisfies Record<string, Windows>;

/** Returns the elements of a list. `data_ref` names their field, and some lists name another one than they have. */
function elementsOf(reply: unknown): Row[] {
  if (!isRecord(reply)) return [];
  const named = reply[String(reply.data_ref)] ?? reply.data;
  const found = Array.isArray(named) ? named : Object.values(reply).find((value) => Array.isArray(value));
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
}

/** A list goes on behind its last page. */
export class TooLong extends Error {}

/** A place in a list, as the progress keeps it: `page/elements before it/moment of the last/begin of the window`. */
interface Place {
  readonly page: number;
  readonly before: number;
  /** The time of creation of the last element that was read. */
  readonly moment: string;
  readonly window: string;
  /** The id behind which the page begins, in a list with cursors. */
  readonly cursor?: string;
}

export const firstPlace = '1/0';

function parsePlace(text: string): Place {
  const [page, before, moment = '', window = ''] = text.split('/');
  const start = { page: Number(page), before: Number(before), moment, window };
  return text.startsWith('>') ? { page: 1, before: 0, moment: '', window: '', cursor: text.slice(1) } : start;
}

const showPlace = ({ page, before, moment, window }: Place) =>
  moment === '' ? `${page}/${before}` : `${page}/${before}/${moment}/${window}`;

function queryOf({ page, window, cursor }: Place, by: Windows | undefined): Record<string, string> {
  if (cursor !== undefined) return { limit: String(limit), starting_after_id: cursor };
  const bounds = window !== '' && by ? by.from(window) : {};
  return { limit: String(limit), ...bounds, ...(page === 1 ? {} : { page: String(page) }) };
}

/** Begins another window where the pages end. A window that begins with the same moment would never end. */
function nextWindow({ before, moment, window }: Place, by: Windows | undefined): string {
  if (!by || moment === '' || moment === window) {
    throw new TooLong(`has more than ${before.toLocaleString('en')}, where its pages end`);
  }
  return showPlace({ page: 1, before: 0, moment, window: moment });
}

const momentOf = (row: Row | undefined) => (typeof row?.created_at === 'string' ? row.created_at : '');

/** A service that ignores the bounds of a window would give the first page again. */
function checkWindow({ page, window }: Place, [first]: readonly Row[], by: Windows | undefined): void {
  if (page !== 1 || window === '' || !first) return;
  const isOutside = by?.isDescending ? momentOf(first) > window : momentOf(first) < window;
  if (isOutside) throw new TooLong(`has more than its pages have, and gives no windows by date`);
}

/** Lists without cursors say their total, or whether more follows. A list within a window counts no more than its pages. */
function hasMore({ has_more, total }: Row, rows: readonly Row[], { page, before }: Place, by?: Windows): boolean {
  const isFull = rows.length >= limit;
  if (typeof total === 'number' && before < total) return true;
  if (typeof has_more === 'boolean') return has_more;
  return isFull && (typeof total !== 'number' || (by !== undefined && page > lastPage));
}

/** Finds the next place. Some lists have a cursor, some have pages, and some come whole. */
function nextPlace(reply: unknown, rows: readonly Row[], place: Place, by: Windows | undefined): string | undefined {
  if (!isRecord(reply)) return undefined;
  const { has_more, more_starting_after: after, total } = reply;
  // A page can be empty before the end, because lists leave out what was deleted meanwhile.
  const isLeftOut = place.cursor === undefined && typeof total === 'number' && place.page * limit < total;
  if (rows.length === 0 && !isLeftOut) return undefined;
  if (typeof after === 'string' && has_more !== false) return `>${after}`;
  if (place.cursor !== undefined) return undefined;
  const next = {
    page: place.page + 1,
    before: place.before + rows.length,
    moment: by ? momentOf(rows.at(-1)) || place.moment : '',
    window: place.window,
  };
  if (!hasMore(reply, rows, next, by)) return undefined;
  return place.page === lastPage ? nextWindow(next, by) : showPlace(next);
}

export async function readPage(source: Source, path: string, from = firstPlace, by?: Windows): Promise<Page> {
  const place = parsePlace(from);
  try {
    const reply = await source.get(withQuery(path, queryOf(place, by)));
    const rows = elementsOf(reply);
    checkWindow(place, rows, by);
    return { rows, next: nextPlace(reply, rows, place, by) };
  } catch (error) {
    const isBehind = error instanceof SourceRefusal && error.status === 400 && place.page > 1;
    if (!isBehind) throw error;
    return { rows: [], next: nextWindow(place, by) };
  }
}
