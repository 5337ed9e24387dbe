import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, inject } from 'vitest';
import type { dynamodbClient } from '../../lib/http/composition.ts';
import type { Endpoint } from '../../lib/http/operation.ts';
import type { RequestLine } from '../../lib/http/route.ts';
import type { documentClient } from '../../lib/table/connection.ts';
import { patience } from './dependencies.ts';

/** What a function's bundle has inside, exported: a handler knows the errors of its own copy of the SDK only. */
export interface Opened {
  handler: Endpoint;
  documentClient: typeof documentClient;
  dynamodbClient: typeof dynamodbClient;
}

interface Bundled {
  handler: Endpoint;
  /** Another container's. */
  newClient: () => DynamoDBDocumentClient;
}

/** By method and path. */
const bundled = new Map<string, Bundled>();

const lineOf = ({ method, path }: RequestLine) => `${method} ${path}`;

/** From here to the end of the test file, `caller` calls the operation of this route through its bundle. */
export function callThrough(route: RequestLine, { handler, documentClient, dynamodbClient }: Opened): void {
  const newClient = () => documentClient(dynamodbClient(inject('endpoint'), patience));
  bundled.set(lineOf(route), { handler, newClient });
  // The next file may be in the same process.
  afterAll(() => bundled.delete(lineOf(route)));
}

export function bundleOf(route: RequestLine): Bundled | undefined {
  return bundled.get(lineOf(route));
}
