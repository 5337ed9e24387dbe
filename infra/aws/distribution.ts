import { Duration, Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { distributionHeaders } from '#kernel/http/distribution.ts';
import type { DistributionOptions } from './distribution-options.ts';
import type { GatewayPart } from './gateway-route.ts';
import { excuse } from './nag.ts';

/** A viewer can send any header, so these headers replace what the viewer sent. */
const tellWhoCalled = `function handler(event) {
  var request = event.request;
  request.headers['${distributionHeaders.viewer}'] = { value: event.viewer.ip };
  request.headers['${distributionHeaders.host}'] = { value: request.headers.host.value };
  return request;
}`;

/** CloudFront would cache these errors for ten seconds, for any caller and credentials. This switches that off. */
const keptErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export interface DistributionProps extends DistributionOptions {
  stage: string;
  parts: readonly { part: GatewayPart; api: IHttpApi }[];
  /** The APIs believe the distribution's words about a caller if this secret comes with them. */
  proof: string;
}

/** Gives all APIs and the console one address. Replies are not cached. */
export function createDistribution(
  scope: Construct,
  { stage, parts, proof, domain, certificate, webAcl }: DistributionProps,
): { url: string; distribution: Distribution } {
  const stack = Stack.of(scope);
  const whoCalled = new EdgeFunction(scope, 'tell-who-called', {
    // The name that the CDK makes is the same for each stage, and an account has one function of a name.
    functionName: `tessera-${stage}-${stack.region}-who-called`,
    comment: 'Sends the address of the caller and the host name',
    code: FunctionCode.fromInline(tellWhoCalled),
    runtime: FunctionRuntime.JS_2_0,
  });
  const common = {
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    functionAssociations: [{ function: whoCalled, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
  const behaviourOf = (api: IHttpApi): BehaviorOptions => {
    const origin: IOrigin = new HttpOrigin(`${api.apiId}.execute-api.${stack.region}.${stack.urlSuffix}`, {
      customHeaders: { [distributionHeaders.proof]: proof },
      readTimeout: Duration.seconds(30),
      keepaliveTimeout: Duration.seconds(60),
    });
    return { ...common, origin };
  };
  const behaviours = parts.map(({ part, api }) => ({ beginnings: part.beginnings, behaviour: behaviourOf(api) }));
  const [other] = behaviours.filter(({ beginnings }) => beginnings.length === 0);
  if (other === undefined) throw new Error('no API serves the remaining paths');
  const distribution = new Distribution(scope, 'distribution', {
    comment: `tessera-${stage}: the one address of its APIs and its console`,
    defaultBehavior: other.behaviour,
    additionalBehaviors: Object.fromEntries(
      behaviours.flatMap(({ beginnings, behaviour }) =>
        beginnings.flatMap((beginning) => [beginning, `${beginning}/*`].map((pattern) => [pattern, behaviour])),
      ),
    ),
    errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    ...(webAcl === undefined ? {} : { webAclId: webAcl }),
    ...(domain === undefined || certificate === undefined
      ? {}
      : { domainNames: [domain], certificate: Certificate.fromCertificateArn(scope, 'certificate', certificate) }),
  });
  excuse(
    distribution,
    'AwsSolutions-CFR1',
    'A shop sells in any country: the company that deploys restricts countries.',
  );
  excuse(
    distribution,
    'AwsSolutions-CFR3',
    "Its log would hold paths, and paths hold codes. The gateway's access log has each request by its route.",
  );
  if (webAcl === undefined) {
    excuse(distribution, 'AwsSolutions-CFR2', 'A web ACL is an option of the stage: the gateway throttles without it.');
  }
  if (domain === undefined) {
    excuse(distribution, 'AwsSolutions-CFR4', "CloudFront's own name has its own certificate and protocols.");
  }
  return { url: `https://${domain ?? distribution.distributionDomainName}`, distribution };
}
