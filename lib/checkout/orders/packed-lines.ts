import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';

/**
 * Packs the lines of an order for redemptions. Each of five redemptions on thirty lines stores all lines. As lists they take 6 KB each, and
 * the SDK visits each of 300 values. Similar lines shrink to a fifth.
 */

/** Loads zlib with the first packed order, so that functions that meet none start without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

type Line = Readonly<Record<string, unknown>>;

/** Packing saves nothing below this size. */
const leastBytes = 1_000;
/** Level 1 takes a third of the default's time, for a tenth more bytes. */
const level = 1;

/** Returns the metadata, which stays outside: it may be personal, and an erasure must find it. */
function metadataOf({ metadata }: Line): Line {
  return metadata === undefined ? {} : { metadata };
}

/** Returns the order with packed lines, if that saves space. */
export function packLines<O extends { readonly items: readonly Line[] }>({ items, ...order }: O) {
  const text = JSON.stringify(items.map(({ metadata: _, ...line }) => line));
  if (text.length < leastBytes) return { ...order, items };
  const lines = zlib().deflateRawSync(text, { level }).toString('base64');
  const rest = items.some(({ metadata }) => metadata !== undefined) ? { items: items.map(metadataOf) } : {};
  return { ...order, lines, ...rest };
}

const packed = v.array(v.custom<Line>(isRecord));

/** Returns the stored order with its lines as a list, packed or not. */
export function unpackLines(order: unknown): unknown {
  if (!isRecord(order) || typeof order.lines !== 'string') return order;
  const { lines, items = [], ...rest } = order;
  const text = zlib().inflateRawSync(Buffer.from(lines, 'base64')).toString();
  const beside = Array.isArray(items) ? items : [];
  return { ...rest, items: v.parse(packed, JSON.parse(text)).map((line, index) => ({ ...line, ...beside[index] })) };
}
