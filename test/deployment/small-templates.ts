import type { Template } from './template.ts';

/** Builds a table whose stream has two readers: one with these properties, and one that reads everything. */
export function readerOf(properties: Readonly<Record<string, unknown>>, body = ''): Template {
  const key = { AttributeName: 'pk', KeyType: 'HASH' };
  const role = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  };
  const functionOf = (code: string) => ({
    Type: 'AWS::Lambda::Function',
    Properties: {
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Code: { ZipFile: `exports.handler = async (event) => { ${code}; return {}; };` },
    },
  });
  const sourceOf = (name: string, more: object) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      FunctionName: { Ref: name },
      StartingPosition: 'TRIM_HORIZON',
      ...more,
    },
  });
  return {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [key],
          BillingMode: 'PAY_PER_REQUEST',
          StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        },
      },
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: role } },
      Reader: functionOf(body),
      All: functionOf(''),
      ReaderSource: sourceOf('Reader', properties),
      AllSource: sourceOf('All', {}),
    },
  };
}

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
