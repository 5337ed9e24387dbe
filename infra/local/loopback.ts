import { isIP } from 'node:net';

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/i;

/**
 * Returns whether a Host header names this machine. A page of another site can point its own name to 127.0.0.1 and call
 * the server, but its requests still carry that name. HTTP/1.0 needs no Host header.
 */
function isLoopbackHost(host: string | undefined): boolean {
  return host === undefined || loopbackHost.test(host);
}

/** Returns whether a call comes from this machine, to a name of this machine. */
export function isLocalCall(host: string | undefined, sourceAddress: string): boolean {
  return isLoopbackHost(host) && loopbackAddress.test(sourceAddress);
}

/** Returns whether the server answers to the Host header: names of this machine, and allowed names with any port. */
export function isServedHost(host: string | undefined, allowed: readonly string[]): boolean {
  const name = host?.replace(/:\d{1,5}$/, '').toLowerCase();
  return isLoopbackHost(host) || (name !== undefined && allowed.includes(name));
}

/** Returns whether other machines reach an address that a server listens on. */
export function isOpenToOthers(address: string): boolean {
  return !loopbackAddress.test(address);
}

/** Returns the address under which this machine reaches a server that listens there. */
export function findOwnAddress(address: string, port: number): string {
  const own = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${isIP(own) === 6 ? `[${own}]` : own}:${port}`;
}
