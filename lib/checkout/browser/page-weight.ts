import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isRecord } from '../../core/is-record.ts';

/** No cart is that long. A longer body is not read to be counted: it takes all calls of a window. */
const longestCounted = 1_000_000;

/** Counts what a page sends in `redeemables`, also where the body is wrong: each is a code that it tries. */
export function redeemablesSent({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number {
  if (body.length > longestCounted) return longestCounted;
  try {
    const sent: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    return isRecord(sent) && Array.isArray(sent.redeemables) ? sent.redeemables.length : 1;
  } catch {
    return 1;
  }
}
