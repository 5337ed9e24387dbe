/**
 * Stands in for `@aws-sdk/endpoint-cache` in the bundles. The SDK makes a cache for each client of the table, but uses
 * it only with endpoint discovery. No function switches that on.
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
