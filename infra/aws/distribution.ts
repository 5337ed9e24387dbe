import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket, CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { distributionHeaders } from '../../lib/http/distribution.ts';
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

/** A console is one page that chooses its screens itself. */
const servePage = `function handler(event) {
  var request = event.request;
  if (request.uri.split('/').pop().indexOf('.') === -1) request.uri = '/console/index.html';
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

/** Holds the console's static files, under `/console/`. `aws s3 sync` puts them here. */
function createConsoleBucket(scope: Construct): IBucket {
  const resource = new CfnBucket(scope, 'console-files', {
    publicAccessBlockConfiguration: {
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    },
    ownershipControls: { rules: [{ objectOwnership: 'BucketOwnerEnforced' }] },
    bucketEncryption: {
      serverSideEncryptionConfiguration: [{ serverSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
    },
  });
  resource.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  const bucket = Bucket.fromCfnBucket(resource);
  bucket.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['s3:*'],
      resources: [bucket.bucketArn, bucket.arnForObjects('*')],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
  excuse(
    resource,
    'AwsSolutions-S1',
    'It holds the published files of the console, and only the distribution can read it.',
  );
  return bucket;
}

/** Puts all APIs and the console's files behind one address. Replies of the APIs are not cached. */
export function createDistribution(
  scope: Construct,
  { stage, parts, proof, domain, certificate, webAcl }: DistributionProps,
): { url: string; distribution: Distribution; consoleFiles: IBucket } {
  const stack = Stack.of(scope);
  const edge = (id: string, comment: string, code: string) =>
    new EdgeFunction(scope, id, {
      comment,
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
  const whoCalled = edge('tell-who-called', 'Sends the address of the caller and the host name', tellWhoCalled);
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
  const consoleFiles = createConsoleBucket(scope);
  const distribution = new Distribution(scope, 'distribution', {
    comment: `tessera-${stage}: the one address of its APIs and its console`,
    defaultBehavior: other.behaviour,
    additionalBehaviors: Object.fromEntries([
      ...behaviours.flatMap(({ beginnings, behaviour }) =>
        beginnings.flatMap((beginning) => [beginning, `${beginning}/*`].map((pattern) => [pattern, behaviour])),
      ),
      [
        '/console/*',
        {
          origin: S3BucketOrigin.withOriginAccessControl(consoleFiles),
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
          functionAssociations: [
            {
              function: edge('serve-page', 'Serves the console for each of its screens', servePage),
              eventType: FunctionEventType.VIEWER_REQUEST,
            },
          ],
        },
      ],
    ]),
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
    excuse(
      distribution,
      'AwsSolutions-CFR2',
      'A web ACL is an option of the stage: the gateway throttles without one.',
    );
  }
  if (domain === undefined) {
    excuse(distribution, 'AwsSolutions-CFR4', "CloudFront's own name has its own certificate and protocols.");
  }
  return { url: `https://${domain ?? distribution.distributionDomainName}`, distribution, consoleFiles };
}
