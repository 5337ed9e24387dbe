import { hash } from 'node:crypto';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Source, SourceFault, SourceRefusal } from './source.ts';

/** Reads lists of a service page by page. */

export type Row = Record<string, unknown>;

interface Page {
  readonly rows: Row[];
  /** The place of the next page. */
  readonly next: string | undefined;
  /** The source does not tell whether more follows, so the next page is a guess. */
  readonly isGuess?: boolean;
}

const limit = 100;
/** Lists by number end with this page. Some end earlier, and refuse the following pages. */
const lastPage = 100;

/** Defines the parameters that request elements from a moment on, or up to it in a list with the newest first. */
export interface Windows {
  readonly isDescending?: boolean;
  readonly from: (moment: string) => Record<string, string>;
}

const shift = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();

/** The windows of lists, by the parameters that each of them has. Bounds are a moment wider where they are strict. */
export const windows = {
  range: { from: (moment: string) => ({ 'created_at[after]': shift(moment, -1) }) },
  dates: { from: (moment: string) => ({ start_date: moment }) },
  before: { isDescending: true, from: (moment: string) => ({ 'created_at[before]': shift(moment, 1) }) },
  filter: {
    isDescending: true,
    from: (moment: string) => ({ 'filters[created_at][conditions][$before][0]': shift(moment, 1) }),
  },
} as const satisfies Record<string, Windows>;

/** Returns the elements of a list. `data_ref` names their field, and some lists name a field that they do not have. */
function elementsOf(reply: unknown, path: string): Row[] {
  const call = `GET ${path.split('?')[0]}`;
  if (!isRecord(reply)) throw new SourceFault(`${call} must answer with an object that has a list`);
  const named = reply[String(reply.data_ref)] ?? reply.data;
  const found = Array.isArray(named) ? named : Object.values(reply).find((value) => Array.isArray(value));
  if (found === undefined && reply.total === 0) return [];
  if (!Array.isArray(found)) throw new SourceFault(`${call} has no list: it answers with ${listNames(reply)}`);
  const wrong = found.findIndex((row) => !isRecord(row));
  if (wrong >= 0) throw new SourceFault(`${call} has a list whose element ${wrong} is not an object`);
  return found;
}

const shownNames = 10;
const listNames = (reply: Row) => Object.keys(reply).slice(0, shownNames).join(', ') || 'an empty object';

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
}

/** A list continues after its last page. */
export class TooLong extends Error {}

/** A place in a list, in the form of the progress: `page/elements before it/moment of the last/begin of the window`. */
interface Place {
  readonly page: number;
  readonly before: number;
  /** The time of creation of the last element that was read. */
  readonly moment: string;
  readonly window: string;
  /** The id after which the page begins, in a list with cursors. */
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

/** Returns the time of creation, which redemptions have as their date. */
function momentOf(row: Row | undefined): string {
  const moment = row?.created_at ?? row?.date;
  return typeof moment === 'string' ? moment : '';
}

/** A service that ignores the bounds of a window would give the first page again. */
function checkWindow({ page, window }: Place, [first]: readonly Row[], by: Windows | undefined): void {
  if (page !== 1 || window === '' || !first) return;
  const isOutside = by?.isDescending ? momentOf(first) > window : momentOf(first) < window;
  if (isOutside) throw new TooLong(`has more than its pages have, and gives no windows by date`);
}

/**
 * Lists without cursors give their total, or whether more follows. A list within a window counts no more than its
 * pages.
 */
function hasMore({ has_more, total }: Row, rows: readonly Row[], { page, before }: Place, by?: Windows): boolean {
  const isFull = rows.length >= limit;
  if (typeof total === 'number' && before < total) return true;
  if (typeof has_more === 'boolean') return has_more;
  return isFull && (typeof total !== 'number' || (by !== undefined && page > lastPage));
}

/** Finds the next place. Some lists have a cursor, some have pages, and some are sent whole. */
function nextPlace(reply: unknown, rows: readonly Row[], place: Place, by: Windows | undefined): string | undefined {
  if (!isRecord(reply)) return undefined;
  const { has_more, more_starting_after: after, total } = reply;
  // A page can be empty before the end, because lists leave out what has been deleted since.
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
    const rows = elementsOf(reply, path);
    checkWindow(place, rows, by);
    const isGuess = isRecord(reply) && typeof reply.total !== 'number' && typeof reply.has_more !== 'boolean';
    return { rows, next: nextPlace(reply, rows, place, by), isGuess };
  } catch (error) {
    const isBehind = error instanceof SourceRefusal && error.status === 400 && place.page > 1;
    if (!isBehind) throw error;
    return { rows: [], next: nextWindow(place, by) };
  }
}

/** Finds a list that leads in a circle of any length, by one remembered page (Brent's algorithm). */
class Circle {
  #remembered = '';
  #steps = 0;
  #length = 1;

  /** Returns whether the page came before. */
  isClosedBy(page: string): boolean {
    if (page === this.#remembered) return true;
    this.#steps += 1;
    if (this.#steps < this.#length) return false;
    this.#remembered = page;
    this.#steps = 0;
    this.#length *= 2;
    return false;
  }
}

/** A list with more pages than this has no end: it has ten times as many rows as a campaign may have codes. */
const mostPages = 500_000;

/** Yields the pages of a list, from a place on. */
export async function* pagesFrom(source: Source, path: string, from?: string, by?: Windows): AsyncGenerator<Page> {
  const circle = new Circle();
  let pages = 0;
  for (let place: string | undefined = from ?? firstPlace; place !== undefined; ) {
    const page: Page = await readPage(source, path, place, by);
    pages += 1;
    // Rows of the same moment may end a window, and begin the next window.
    const name = hash('sha256', JSON.stringify([parsePlace(place).window, page.rows]));
    const isCircle = page.rows.length > 0 && page.next !== undefined && circle.isClosedBy(name);
    if (isCircle && page.isGuess && parsePlace(place).cursor === undefined) {
      // The list has no pages, and was sent whole each time.
      yield { rows: [], next: undefined };
      return;
    }
    if (isCircle) throw new SourceFault(`GET ${path.split('?')[0]} repeats itself: the same rows come again and again`);
    if (pages > mostPages) throw new SourceFault(`GET ${path.split('?')[0]} has no end: ${mostPages} pages were read`);
    yield page;
    place = page.next;
  }
}
