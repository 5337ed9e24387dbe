import { timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Headers that the distribution before the APIs sets. It overwrites headers of the same name from callers. */
export const distributionHeaders = {
  viewer: 'x-tessera-viewer',
  host: 'x-tessera-host',
  proof: 'x-tessera-proof',
} as const;

export interface DistributionCall {
  viewer: string | undefined;
  host: string | undefined;
}

/**
 * Returns the headers that the distribution sets. A call that bypassed the distribution could forge them, so they are
 * ignored.
 */
export function readDistributionHeaders(
  { headers }: Pick<APIGatewayProxyEventV2, 'headers'>,
  proof: string | undefined,
): DistributionCall | undefined {
  if (proof === undefined) return undefined;
  const [sent, own] = [headers[distributionHeaders.proof] ?? '', proof].map((text) => Buffer.from(text));
  if (!sent || !own || sent.length !== own.length || !timingSafeEqual(sent, own)) return undefined;
  return { viewer: headers[distributionHeaders.viewer], host: headers[distributionHeaders.host] };
}
