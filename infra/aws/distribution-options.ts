import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import type { Options } from '../command-line.ts';
import { OptionsError } from './stages.ts';

/** Holds options of the one address that all paths of a stage share. */
export interface DistributionOptions {
  /** The stage's own domain name. CloudFront gives a name by default. */
  domain?: string;
  /** The ARN of the domain's certificate. */
  certificate?: string;
  /** The ARN of a web ACL of WAF. */
  webAcl?: string;
}

export const distributionOptions = {
  domain: { type: 'string', value: 'NAME', words: 'the host name of the address, such as api.shop.example' },
  certificate: { type: 'string', value: 'ARN', words: "the domain's certificate in ACM, in us-east-1" },
  'web-acl': {
    type: 'string',
    value: 'ARN',
    words: 'the web ACL of WAF in front of the distribution, of scope CLOUDFRONT',
  },
} as const satisfies Options;

/** CloudFront reads certificates and rules from one region only. */
const globalArn = (pattern: RegExp, words: string) =>
  v.pipe(v.string(), v.regex(pattern, `must be the ARN of ${words}, in us-east-1`));

export const distributionEntries = {
  domain: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be the name of a host, such as api.shop.example'),
    ),
  ),
  certificate: v.optional(
    globalArn(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, 'a certificate of ACM'),
  ),
  'web-acl': v.optional(
    globalArn(/^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w/-]+$/, 'a web ACL of scope CLOUDFRONT'),
  ),
};

const parsed = v.object(distributionEntries);

type Parsed = v.InferOutput<typeof parsed>;

/** Rejects options of a distribution if none is made, and a domain name without its certificate. */
export function refuseHalf({
  distribution,
  domain,
  certificate,
  'web-acl': webAcl,
}: Parsed & { distribution: boolean }): void {
  if (!distribution && [domain, certificate, webAcl].some((one) => one !== undefined)) {
    throw new OptionsError('domain, certificate and web-acl need the option distribution');
  }
  if ((domain === undefined) !== (certificate === undefined)) {
    throw new OptionsError('domain and certificate need each other');
  }
}

export function readDistributionOptions({ domain, certificate, 'web-acl': webAcl }: Parsed): DistributionOptions {
  return defined({ domain, certificate, webAcl });
}
