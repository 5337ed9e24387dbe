import { timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** What the distribution before the APIs says of a call, in headers that it sets over whatever a caller sent. */
export const distributionHeaders = {
  viewer: 'x-tessera-viewer',
  host: 'x-tessera-host',
  proof: 'x-tessera-proof',
} as const;

export interface ThroughDistribution {
  viewer: string | undefined;
  host: string | undefined;
}

/** Returns what the distribution says; nothing where the call went around it and could say anything. */
export function throughDistribution(
  { headers }: Pick<APIGatewayProxyEventV2, 'headers'>,
  proof: string | undefined,
): ThroughDistribution | undefined {
  if (proof === undefined) return undefined;
  const [sent, own] = [headers[distributionHeaders.proof] ?? '', proof].map((text) => Buffer.from(text));
  if (!sent || !own || sent.length !== own.length || !timingSafeEqual(sent, own)) return undefined;
  return { viewer: headers[distributionHeaders.viewer], host: headers[distributionHeaders.host] };
}
