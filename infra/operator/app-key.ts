import { randomBytes } from 'node:crypto';
import { findAppKey } from '#kernel/access/projects/app-key.ts';
import {
  checkNewAppKey,
  createAppKey,
  listAppKeys,
  rotateAppKey,
  switchOffAppKey,
} from '#kernel/access/projects/manage-app-keys.ts';
import { appKeys, retireOlderToken } from '#kernel/access/projects/manage-keys.ts';
import {
  buildOffVerb,
  findEnd,
  keyOptions,
  onlyOnce,
  printRotation,
  printToken,
  runKeyCommand,
  type Verb,
} from './key-command.ts';

const usage = `Manages the app keys of a project.

  npm run app-key -- create PROJECT --name NAME [--id APP_ID] [--dry-run]
      Creates a key and prints its token, only once. Only the hash of the token is stored.

  npm run app-key -- rotate APP_ID [--hours HOURS]
      Creates a second token and prints it, only once. Both tokens work, for these hours or until the older token is retired.

  npm run app-key -- retire APP_ID
      Ends the older of two tokens within 60 seconds.

  npm run app-key -- off APP_ID [--dry-run]
      Switches a key and its bearer tokens off within 60 seconds.

  npm run app-key -- list PROJECT
      Prints id, name, on or off, and "two tokens" if there are two, with tabs between them.
`;

const create: Verb['action'] = async ({ table }, { subject: projectId, required, given, dryRun }) => {
  const id = given('id');
  const key = { projectId, appId: id ?? `app_${randomBytes(12).toString('base64url')}`, name: required('name') };
  if (dryRun) {
    await checkNewAppKey(table, key);
    return `app key ${id ?? 'with a random id'} of ${projectId} can be created. Nothing was written.\n`;
  }
  const token = await createAppKey(table, key);
  return printToken('app id', key.appId, token, onlyOnce);
};

const rotate: Verb['action'] = async ({ table, now }, { subject: appId, given }) => {
  const until = findEnd(given('hours'), now);
  return printRotation('app id', appId, await rotateAppKey(table, appId, now, until), until);
};

const retire: Verb['action'] = async ({ table }, { subject: appId }) => {
  await retireOlderToken(table, appKeys, appId);
  return `the older token of ${appId} stops working within 60 seconds\n`;
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
  keyOptions,
  new Map([
    ['create', { action: create, about: 'PROJECT', options: ['name', 'id', 'dry-run'], needs: ['name'] }],
    ['rotate', { action: rotate, about: 'APP_ID', options: ['hours'] }],
    ['retire', { action: retire, about: 'APP_ID', options: [] }],
    ['off', buildOffVerb({ type: 'app_key', about: 'APP_ID', find: findAppKey, switchOff: switchOffAppKey })],
    ['list', { action: list, about: 'PROJECT', options: [] }],
  ]),
);
