import type { Context } from 'aws-lambda';

/** What an HTTP API waits for its function. */
const functionTimeInMs = 30_000;

/** The function's context, as far as it has a meaning here. */
export function localContext(operation: string, requestId: string): Context {
  const deadline = performance.now() + functionTimeInMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: operation,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${operation}`,
    memoryLimitInMB: '512',
    awsRequestId: requestId,
    logGroupName: 'local',
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
