import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';

/**
 * Lines of an order as redemptions store them. Each of five redemptions on thirty lines stores what it did to all of them: as lists
 * they take 6 KB each, and the SDK looks at each of 300 values. Lines are alike, so that they shrink to a fifth.
 */

/** Loads zlib with the first packed order, so that functions that meet none start without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

type Line = Readonly<Record<string, unknown>>;

/** Below this size packing saves nothing. */
const leastBytes = 1_000;
/** Level 1 takes a third of the time of the default, for a tenth more bytes. */
const level = 1;

/** Metadata may be a person's, and is erased where it stands: it stays outside. */
function metadataOf({ metadata }: Line): Line {
  return metadata === undefined ? {} : { metadata };
}

/** Returns the order with its lines packed, where that saves something. */
export function packLines<O extends { readonly items: readonly Line[] }>({ items, ...order }: O) {
  const text = JSON.stringify(items.map(({ metadata: _, ...line }) => line));
  if (text.length < leastBytes) return { ...order, items };
  const lines = zlib().deflateRawSync(text, { level }).toString('base64');
  const rest = items.some(({ metadata }) => metadata !== undefined) ? { items: items.map(metadataOf) } : {};
  return { ...order, lines, ...rest };
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
