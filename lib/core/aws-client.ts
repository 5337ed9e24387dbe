/** What the clients of all services of AWS are told in the same words. */

export interface CallTimes {
  /** How long to wait for a connection, a free one if all are in use, before the SDK tries again. */
  connectionTimeoutInMs: number;
  /** How long to wait for a reply before it does. */
  replyTimeoutInMs: number;
}

/** Far below a function's time, so that a hanging connection is tried again inside the request. */
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

/** Local services take any credentials, but the SDK insists on some; AWS's own endpoints need the real ones. */
const anyCredentials = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** On AWS the region decides where a service is, without an endpoint. */
export function serviceAt(endpoint: string | undefined) {
  if (endpoint === undefined) return {};
  return isOfAws(endpoint) ? { endpoint } : { endpoint, ...anyCredentials };
}
