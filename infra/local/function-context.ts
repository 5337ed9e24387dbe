import type { Context } from 'aws-lambda';

/** The timeout of an HTTP API for its function. */
const functionTimeInMs = 30_000;

/** Builds the function's context, with the parts that matter here. */
export function createContext(operation: string, requestId: string): Context {
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
