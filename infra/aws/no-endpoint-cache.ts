/**
 * Stands in for `@aws-sdk/endpoint-cache` in the bundles. The SDK makes one for each client of the table, and uses it where endpoint
 * discovery is switched on, which no function does.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }

  get(): undefined {
    return undefined;
  }

  set(): void {}

  delete(): void {}

  has(): boolean {
    return false;
  }

  clear(): void {}
}
