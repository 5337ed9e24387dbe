const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a Host header names this machine. A page of another site can have its own name resolved to 127.0.0.1 and call
 * the server as its own; its requests still carry that name. HTTP/1.0 asks for none.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host === undefined || loopback.test(host);
}
