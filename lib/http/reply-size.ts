import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { Route } from './route.ts';

/** Lambda replies with 6 MB: JSON, in which a body is a text with its quotes escaped. */
export const maxReplyBytes = 6_000_000;

/** A page of long items may exceed a reply; the caller can ask for a shorter one. */
export function pageTooLong(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: `limit must be smaller: the page is longer than the ${maxReplyBytes} bytes that a reply has`,
  });
}

/** A character takes six bytes there at most. */
const surelyFits = maxReplyBytes / 6;

export function checkSize(route: Route, { body = '' }: APIGatewayProxyStructuredResultV2): void {
  if (route.query === undefined || body.length < surelyFits) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= maxReplyBytes) return;
  throw pageTooLong();
}
