import { randomBytes } from 'node:crypto';
import { findAppKey } from '../../lib/projects/app-key.ts';
import { checkNewAppKey, createAppKey, listAppKeys, switchOffAppKey } from '../../lib/projects/manage-app-keys.ts';
import { offVerb, runKeyCommand, type Verb } from './key-command.ts';

const usage = `The app keys by which a project's callers are known.

  npm run app-key -- create PROJECT --name NAME [--id APP_ID] [--dry-run]
      makes a key and prints its token, this once: only its hash is kept
  npm run app-key -- off APP_ID [--dry-run]
      switches a key and its bearer tokens off, within 60 seconds
  npm run app-key -- list PROJECT
      id, name and on or off, with tabs between them
`;

const options = {
  name: { type: 'string', value: 'NAME', words: 'what people call the key' },
  id: { type: 'string', value: 'APP_ID', words: 'its app id; made up if it is left out' },
} as const;

const create: Verb['action'] = async ({ table }, { subject: projectId, required, given, dryRun }) => {
  const id = given('id');
  const key = { projectId, appId: id ?? `app_${randomBytes(12).toString('base64url')}`, name: required('name') };
  if (dryRun) {
    await checkNewAppKey(table, key);
    return `app key ${id ?? 'with an id of its own'} of ${projectId} can be made. Nothing was written.\n`;
  }
  const token = await createAppKey(table, key);
  return [`app id  ${key.appId}`, `token   ${token}`, 'The token is shown this once: it is not kept.', ''].join('\n');
};

const list: Verb['action'] = async ({ table }, { subject: projectId }) => {
  const appKeys = await listAppKeys(table, projectId);
  return appKeys.map(({ app_id, name, active }) => `${app_id}\t${name}\t${active ? 'on' : 'off'}\n`).join('');
};

await runKeyCommand(
  usage,
  options,
  new Map([
    ['create', { action: create, about: 'PROJECT', options: ['name', 'id', 'dry-run'], needs: ['name'] }],
    ['off', offVerb({ type: 'app_key', about: 'APP_ID', find: findAppKey, switchOff: switchOffAppKey })],
    ['list', { action: list, about: 'PROJECT', options: [] }],
  ]),
);
