import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';

/**
 * Lines of an order as orders and redemptions store them. Each of five redemptions on thirty lines stores what it did to all lines. As
 * lists they take 6 KB each, and the SDK looks at each of 300 values. Lines are alike, so that they shrink to an eighth.
 */

/** Loads zlib with the first packed order, so that functions that meet none start without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

type Line = Readonly<Record<string, unknown>>;

/** Below this size packing saves nothing. */
const leastBytes = 1_000;
/** Lines repeat what the line before has. So 4 KB are enough to look back, and packing takes less than half of the default's time. */
const options = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Metadata may be a person's, and is erased where it stands: it stays outside. */
function metadataOf({ metadata }: Line): Line {
  return metadata === undefined ? {} : { metadata };
}

/** Returns the lines packed; `undefined` where that saves nothing. */
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

/** Returns the stored order with its lines as a list, whichever way it stores them. */
export function unpackLines(order: unknown): unknown {
  if (!isRecord(order) || typeof order.lines !== 'string') return order;
  const { lines, items = [], ...rest } = order;
  const text = zlib().inflateRawSync(Buffer.from(lines, 'base64')).toString();
  const beside = Array.isArray(items) ? items : [];
  return { ...rest, items: v.parse(packed, JSON.parse(text)).map((line, index) => ({ ...line, ...beside[index] })) };
}
