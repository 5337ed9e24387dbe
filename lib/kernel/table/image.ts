import type { AttributeValue as SdkValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { type Attributes, unmarshallOptions } from './item.ts';

/** An item in the form of the table. Records of the stream have it, and messages, because it loses nothing in JSON. */
export type PackedItem = Readonly<Record<string, AttributeValue>>;

/** Streams deliver bytes as base64, and the SDK expects bytes. */
function withBytes(value: AttributeValue): SdkValue {
  if (value.B !== undefined) return { B: Buffer.from(value.B, 'base64') };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined) return { M: imageWithBytes(value.M) };
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  if (value.BOOL !== undefined) return { BOOL: value.BOOL };
  if (value.NS !== undefined) return { NS: value.NS };
  if (value.SS !== undefined) return { SS: value.SS };
  return { NULL: true };
}

function imageWithBytes(image: PackedItem): Record<string, SdkValue> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, withBytes(value)]));
}

/** Returns the item of a record or message. */
export function unpackItem(packed: PackedItem): Attributes {
  return unmarshall(imageWithBytes(packed), unmarshallOptions);
}

/** Returns the item as a read has it, with its bytes. */
export function readRawItem(item: Readonly<Record<string, SdkValue>>): Attributes {
  return unmarshall({ ...item }, unmarshallOptions);
}
