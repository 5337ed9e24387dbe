import { isRecord } from '../../../lib/core/is-record.ts';
import type { Source } from './source.ts';

/** Reads lists of a service page by page. */

export type Row = Record<string, unknown>;

interface Page {
  readonly rows: Row[];
  /** The place of the next page. */
  readonly next: string | undefined;
}

const limit = 100;
/** Lists by number end with this page. */
const lastPage = 100;

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

/** A place is `number/elements before it`, or `>` and the id behind which the page begins. */
function queryOf(place: string): Record<string, string> {
  if (place.startsWith('>')) return { limit: String(limit), starting_after_id: place.slice(1) };
  const [page = '1'] = place.split('/');
  return page === '1' ? { limit: String(limit) } : { limit: String(limit), page };
}

/** Finds the next place. Some lists have a cursor, some have pages, and some come whole. */
function nextPlace(reply: unknown, rows: readonly Row[], place: string): string | undefined {
  if (!isRecord(reply) || rows.length === 0) return undefined;
  const { has_more, more_starting_after: after, total } = reply;
  if (typeof after === 'string' && has_more !== false) return `>${after}`;
  if (place.startsWith('>')) return undefined;
  const [page = '1', before = '0'] = place.split('/');
  const seen = Number(before) + rows.length;
  const isMore = typeof total === 'number' ? seen < total : has_more === true || rows.length === limit;
  if (isMore && Number(page) === lastPage)
    throw new TooLong(`has more than ${seen.toLocaleString('en')}, where its pages end`);
  return isMore ? `${Number(page) + 1}/${seen}` : undefined;
}

export async function readPage(source: Source, path: string, place = '1/0'): Promise<Page> {
  const reply = await source.get(withQuery(path, queryOf(place)));
  const rows = elementsOf(reply);
  return { rows, next: nextPlace(reply, rows, place) };
}
