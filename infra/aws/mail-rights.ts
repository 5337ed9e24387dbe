import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { excuse } from './nag.ts';

const sendsAsOneOnly =
  'Only SES knows which identity it uses: the address, its domain, or the receiver in the sandbox. The condition allows one sender only.';

const kinds = ['identity', 'configuration-set'] as const;

/**
 * Grants sending by any identity of the account, with the configuration set of that identity. SES chooses the sender's
 * address or its domain. In SES's sandbox it also needs the receiver's identity.
 */
export function grantSendingAs(sender: string, role: Role): void {
  const stack = Stack.of(role);
  role.addToPolicy(
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: kinds.map((resource) => stack.formatArn({ service: 'ses', resource, resourceName: '*' })),
      conditions: { StringEquals: { 'ses:FromAddress': sender } },
    }),
  );
  for (const kind of kinds) {
    const place = `arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${kind}/*`;
    excuse(role, `AwsSolutions-IAM5[Resource::${place}]`, sendsAsOneOnly);
  }
}
