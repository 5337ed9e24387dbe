import * as v from 'valibot';
import type { AskAws } from '../../aws/ask-aws.ts';
import { deployedOperations, listFunctions } from '../../aws/deployed-functions.ts';
import { readStackStatus } from '../../aws/first-deployment.ts';
import { limits } from '../../aws/limits.ts';
import { askFor, type Check, type Finding, fault, fine, unread, warning } from './finding.ts';

/** Docs, console, agents and preflights have so many routes. */
const ownRoutes = 5;

/** Compares the routes with those that one API may have. */
export const checkRoutes: Check = ({ options: { stage, distribution } }) => {
  const ofOperations = listFunctions(deployedOperations, 'iam').flatMap(({ routes }) => routes).length;
  const count = ofOperations + ownRoutes;
  if (distribution || count <= limits.routes) return [fine(`the stage has ${count} routes`)];
  return [
    fault(
      `the stage has ${count} routes, and an API can have ${limits.routes}`,
      `npm run deploy -- --stage ${stage} --distribution on`,
    ),
  ];
};

/** Returns what the state of the stack means for a deployment, and whether the stage exists. */
export async function lookAtStack(ask: AskAws, stage: string): Promise<{ exists: boolean; finding: Finding }> {
  const name = `tessera-${stage}`;
  const found = await readStackStatus(ask, name);
  const args = ['cloudformation', 'describe-stacks', '--stack-name', name];
  if (typeof found === 'string') return { exists: false, finding: unread(`The stack ${name}`, args, found) };
  const { status } = found;
  const exists = status !== undefined && !['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE'].includes(status);
  const of = (finding: Finding) => ({ exists, finding });
  if (status === undefined || status === 'REVIEW_IN_PROGRESS') return of(fine(`the stack ${name} is new`));
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const what = `the stack ${name} could not undo its last update`;
    return of(fault(what, `aws cloudformation continue-update-rollback --stack-name ${name}`));
  }
  if (['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED'].includes(status)) {
    const what = `the stack ${name} is ${status}, and can only be deleted`;
    return of(fault(what, `aws cloudformation delete-stack --stack-name ${name}`));
  }
  if (status.endsWith('_IN_PROGRESS')) {
    const what = `another deployment of ${name} is running (${status})`;
    return of(fault(what, `aws cloudformation describe-stack-events --stack-name ${name} --max-items 20`));
  }
  return of(fine(`the stack ${name} is ${status}`));
}

const tables = v.object({ TableNames: v.array(v.string()) });
const vault = v.object({ BackupVaultName: v.string() });

/** Looks for what an earlier stack of this stage has left. */
export const checkLeftovers: Check = async ({ ask, options: { stage, protection = true }, exists }) => {
  if (exists) return [];
  const found = await askFor(ask, ['dynamodb', 'list-tables'], tables);
  if ('why' in found) return [unread('The tables', ['dynamodb', 'list-tables'], found.why)];
  // The stage `prod` does not own tables of `prod-2`.
  const older = found.value.TableNames.filter((name) => name.startsWith(`tessera-${stage}-table`));
  const ofTables = older.map((name) =>
    warning(
      `the table ${name} is left from an earlier stack, and a new stack begins with an empty table`,
      `npx cdk import -c stage=${stage}`,
    ),
  );
  const name = `tessera-${stage}`;
  const ofVault = await askFor(ask, ['backup', 'describe-backup-vault', '--backup-vault-name', name], vault);
  const isTaken = protection && 'value' in ofVault;
  const taken = fault(
    `the backup vault ${name} is left from an earlier stack, and its name is needed`,
    `aws backup delete-backup-vault --backup-vault-name ${name}`,
  );
  return [...ofTables, ...(isTaken ? [taken] : [])];
};

const changeSet = v.object({
  Status: v.optional(v.string()),
  Changes: v.optional(
    v.array(
      v.object({
        ResourceChange: v.object({
          Action: v.string(),
          LogicalResourceId: v.string(),
          ResourceType: v.string(),
          Replacement: v.optional(v.string()),
          PolicyAction: v.optional(v.string()),
          ChangeSetId: v.optional(v.string()),
        }),
      }),
    ),
    [],
  ),
});

/** Holds data, or an address that callers know. */
const precious = /::(DynamoDB::GlobalTable|S3::Bucket|SQS::Queue|KMS::Key|Backup::BackupVault|ApiGatewayV2::Api)$/;

/** Reads what a change set would replace or delete, with its nested change sets. */
async function readLosses(ask: AskAws, args: readonly string[]): Promise<Finding[] | { why: string }> {
  const found = await askFor(ask, args, changeSet);
  if ('why' in found) return found;
  const changes = found.value.Changes.map(({ ResourceChange }) => ResourceChange);
  const nested = await Promise.all(
    changes.flatMap(({ ChangeSetId }) =>
      ChangeSetId === undefined
        ? []
        : [readLosses(ask, ['cloudformation', 'describe-change-set', '--change-set-name', ChangeSetId])],
    ),
  );
  const own = changes.flatMap((change): Finding[] => {
    const isLost = change.Replacement === 'True' || (change.Action === 'Remove' && change.PolicyAction !== 'Retain');
    if (!precious.test(change.ResourceType) || !isLost) return [];
    const verb = change.Action === 'Remove' ? 'deletes' : 'replaces';
    const what = `the change set ${verb} ${change.LogicalResourceId} (${change.ResourceType})`;
    return [fault(what, `aws cloudformation delete-change-set ${args.slice(2).join(' ')}`)];
  });
  return [...own, ...nested.flatMap((one) => ('why' in one ? [unread('A nested change set', args, one.why)] : one))];
}

/** Looks at the change set that `npm run deploy -- --method prepare-change-set` has left. */
export const checkChanges: Check = async ({ ask, options: { stage }, exists }) => {
  if (!exists) return [];
  const place = ['--stack-name', `tessera-${stage}`, '--change-set-name', 'cdk-deploy-change-set'];
  const args = ['cloudformation', 'describe-change-set', ...place];
  const losses = await readLosses(ask, args);
  if (!('why' in losses)) return losses.length > 0 ? losses : [fine('the change set replaces nothing that holds data')];
  if (!/ChangeSetNotFound|does not exist/.test(losses.why)) return [unread('The change set', args, losses.why)];
  return [warning('no change set was found', `npm run deploy -- --stage ${stage} --method prepare-change-set`)];
};
