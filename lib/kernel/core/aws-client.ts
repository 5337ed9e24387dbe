/** Configures the clients of all AWS services in the same way. */

export interface CallTimes {
  /** The SDK tries again when it gets no connection in this time, a free one if all are in use. */
  connectionTimeoutInMs: number;
  /** The SDK tries again when it gets no reply in this time. */
  replyTimeoutInMs: number;
}

/**
 * Returns these times as settings of the SDK. They must be far below a function's own time, so that the request itself retries a hanging
 * connection.
 */
export function callTimes({ connectionTimeoutInMs, replyTimeoutInMs }: CallTimes) {
  return {
    connectionTimeout: connectionTimeoutInMs,
    requestTimeout: replyTimeoutInMs,
    throwOnRequestTimeout: true,
  };
}

function isOfAws(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname);
}

/**
 * Settings for local services, which accept any credentials. The SDK requires credentials, and AWS's own endpoints need
 * real ones here.
 */
const anyCredentials = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Returns where the service is. Without an endpoint, the region decides. */
export function chooseEndpoint(endpoint: string | undefined) {
  if (endpoint === undefined) return {};
  return isOfAws(endpoint) ? { endpoint } : { endpoint, ...anyCredentials };
}
