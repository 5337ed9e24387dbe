import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';

/**
 * Packs the lines of stored orders and redemptions. Each of five redemptions on thirty lines stores its changes of all lines. As lists
 * they take 6 KB each, and the SDK visits each of 300 values. Similar lines shrink to an eighth.
 */

/** Loads zlib with the first packed order, so that functions that meet none start without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

type Line = Readonly<Record<string, unknown>>;

/** Packing saves nothing below this size. */
const leastBytes = 1_000;
/** A line repeats the line before, so a window of 4 KB suffices. Packing takes less than half of the default's time. */
const options = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Returns the metadata, which stays outside: it may be personal, and an erasure must find it. */
function metadataOf({ metadata }: Line): Line {
  return metadata === undefined ? {} : { metadata };
}

/** Returns the packed lines, or `undefined` if packing saves nothing. */
function packedText(items: readonly Line[]): string | undefined {
  const text = JSON.stringify(items.map(({ metadata: _, ...line }) => line));
  return text.length < leastBytes ? undefined : zlib().deflateRawSync(text, options).toString('base64');
}

function haveMetadata(items: readonly Line[]): boolean {
  return items.some(({ metadata }) => metadata !== undefined);
}

/** Returns the order of a redemption with its lines packed, where that saves something. */
export function packLines<O extends { readonly items: readonly Line[] }>({ items, ...order }: O) {
  const lines = packedText(items);
  if (lines === undefined) return { ...order, items };
  return { ...order, lines, ...(haveMetadata(items) ? { items: items.map(metadataOf) } : {}) };
}

/** Returns the order as its own item stores it. Earlier code reads `items` as complete lines, and a line needs a quantity. */
export function packItem<O extends { readonly items: readonly Line[] }>(order: O) {
  const { items } = order;
  const lines = packedText(items);
  if (lines === undefined) return order;
  const beside = items.map((line) => ({ quantity: line.quantity, ...metadataOf(line) }));
  return { ...order, lines, items: haveMetadata(items) ? beside : [] };
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
