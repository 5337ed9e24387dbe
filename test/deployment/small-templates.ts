import type { Template } from './template.ts';

/** Builds a distribution with one origin. */
export function distributionOf(DomainName: string): Template {
  const DistributionConfig = {
    Enabled: true,
    Origins: [{ Id: 'one', DomainName, CustomOriginConfig: { OriginProtocolPolicy: 'https-only' } }],
    DefaultCacheBehavior: {
      TargetOriginId: 'one',
      ViewerProtocolPolicy: 'allow-all',
      // This policy of AWS caches nothing.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    },
  };
  return {
    Resources: { One: { Type: 'AWS::CloudFront::Distribution', Properties: { DistributionConfig } } },
    Outputs: { Domain: { Value: { 'Fn::GetAtt': ['One', 'DomainName'] } } },
  };
}
