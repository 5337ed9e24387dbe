import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isRecord } from '#kernel/core/is-record.ts';

/** Limits the characters of a body that is counted. A longer cart is never valid, and its body uses all calls of a window. */
const longestCounted = 1_000_000;

/** Counts the `redeemables` of a browser, even in a wrong body: each is a code that the browser tries. */
export function countSentRedeemables({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number {
  if (body.length > longestCounted) return longestCounted;
  try {
    const sent: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    return isRecord(sent) && Array.isArray(sent.redeemables) ? sent.redeemables.length : 1;
  } catch {
    return 1;
  }
}
