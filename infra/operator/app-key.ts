import { randomBytes } from 'node:crypto';
import { findAppKey } from '../../lib/http/projects/app-key.ts';
import {
  checkNewAppKey,
  createAppKey,
  listAppKeys,
  retireOlderToken,
  rotateAppKey,
  switchOffAppKey,
} from '../../lib/http/projects/manage-app-keys.ts';
import { offVerb, runKeyCommand, type Verb } from './key-command.ts';

const usage = `The app keys by which a project's callers are known.

  npm run app-key -- create PROJECT --name NAME [--id APP_ID] [--dry-run]
      makes a key and prints its token, this once: only its hash is kept
  npm run app-key -- rotate APP_ID
      makes a second token and prints it, this once: both open the project
  npm run app-key -- retire APP_ID
      ends the older of two tokens, within 60 seconds
  npm run app-key -- off APP_ID [--dry-run]
      switches a key and its bearer tokens off, within 60 seconds
  npm run app-key -- list PROJECT
      id, name, on or off, and whether it has two tokens, with tabs between them
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

const rotate: Verb['action'] = async ({ table }, { subject: appId }) => {
  const token = await rotateAppKey(table, appId);
  return [
    `app id  ${appId}`,
    `token   ${token}`,
    'The older token opens the project too, until it is retired.',
    '',
  ].join('\n');
};

const retire: Verb['action'] = async ({ table }, { subject: appId }) => {
  await retireOlderToken(table, appId);
  return `the older token of ${appId} is no longer accepted within 60 seconds\n`;
};

const list: Verb['action'] = async ({ table }, { subject: projectId }) => {
  const appKeys = await listAppKeys(table, projectId);
  return appKeys
    .map(({ app_id, name, active, next_token_hash: next }) => {
      const state = `${active ? 'on' : 'off'}${next === undefined ? '' : '\ttwo tokens'}`;
      return `${app_id}\t${name}\t${state}\n`;
    })
    .join('');
};

await runKeyCommand(
  usage,
  options,
  new Map([
    ['create', { action: create, about: 'PROJECT', options: ['name', 'id', 'dry-run'], needs: ['name'] }],
    ['rotate', { action: rotate, about: 'APP_ID', options: [] }],
    ['retire', { action: retire, about: 'APP_ID', options: [] }],
    ['off', offVerb({ type: 'app_key', about: 'APP_ID', find: findAppKey, switchOff: switchOffAppKey })],
    ['list', { action: list, about: 'PROJECT', options: [] }],
  ]),
);
