import { managementKeys, switchOffKey } from '../../lib/http/projects/manage-keys.ts';
import { findManagementKey, listManagementKeys } from '../../lib/http/projects/management-key.ts';
import { buildOffVerb, runKeyCommand, type Verb } from './key-command.ts';

const usage = `Manages the management keys of a project. Its project file creates them.

  npm run management-key -- off MANAGEMENT_ID [--dry-run]
      Switches a key off within 60 seconds.

  npm run management-key -- list PROJECT
      Prints id and on or off, with a tab between them.
`;

const list: Verb['action'] = async ({ table }, { subject: projectId }) => {
  const managementKeys = await listManagementKeys(table, projectId);
  return managementKeys.map(({ management_id, active }) => `${management_id}\t${active ? 'on' : 'off'}\n`).join('');
};

await runKeyCommand(
  usage,
  {},
  new Map([
    [
      'off',
      buildOffVerb({
        type: 'management_key',
        about: 'MANAGEMENT_ID',
        find: findManagementKey,
        switchOff: (table, id) => switchOffKey(table, managementKeys, id),
      }),
    ],
    ['list', { action: list, about: 'PROJECT', options: [] }],
  ]),
);
