import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Complaint } from '../command-line.ts';

/**
 * Refuses a deployment without credentials before anything is bundled. The templates take a minute, and the CDK looks
 * for credentials only later.
 */
export async function refuseWithoutCredentials(commandLine: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...commandLine],
    options: { profile: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const { profile } = values;
  // The CDK looks in the same places: environment, profiles, and the machine's own role. No call is made.
  const client = new DynamoDBClient({ region: 'us-east-1', ...(typeof profile === 'string' ? { profile } : {}) });
  try {
    await client.config.credentials();
  } catch (error) {
    const of = typeof profile === 'string' ? ` in the profile ${profile}` : '';
    throw new Complaint(`No AWS credentials were found${of}: nothing was deployed.`, [
      'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`.',
      '`aws sts get-caller-identity` shows the identity that is used.',
      ...(error instanceof Error ? [error.message.split('\n')[0] ?? ''] : []),
    ]);
  } finally {
    client.destroy();
  }
}
