import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { notFound } from '../../lib/errors.ts';
import { findAppKey } from '../../lib/projects/app-key.ts';
import { checkNewAppKey, createAppKey, listAppKeys, switchOffAppKey } from '../../lib/projects/manage-app-keys.ts';
import { identifier } from '../../lib/schema.ts';
import { Misuse, main, type Target, withTable } from './command.ts';

const usage = `The app keys by which a project's callers are known.

  npm run app-key -- create PROJECT --name NAME [--id APP_ID] [--dry-run]
      makes a key and tells its token, this once: what is kept is a hash
  npm run app-key -- off APP_ID [--dry-run]
      switches a key and its bearer tokens off, within 60 seconds
  npm run app-key -- list PROJECT
      id, name and on or off, with tabs between them

  --dry-run  tells what would be done, and does nothing
`;

interface Call {
  subject: string;
  name: string;
  id: string | undefined;
  dryRun: boolean;
}

type Action = (target: Target, call: Call) => Promise<string>;

function checked(option: string, value: string | undefined): string {
  const result = v.safeParse(identifier, value);
  if (result.success) return result.output;
  throw new Misuse(`${option} ${value === undefined ? 'is required' : result.issues[0].message}`);
}

const create: Action = async ({ table }, { subject: projectId, name, id, dryRun }) => {
  const key = {
    projectId,
    appId: id ?? `app_${randomBytes(12).toString('base64url')}`,
    name,
  };
  if (dryRun) {
    await checkNewAppKey(table, key);
    return `app key ${id ?? 'with an id of its own'} of ${projectId} can be made. Nothing was written.\n`;
  }
  const token = await createAppKey(table, key);
  return [`app id  ${key.appId}`, `token   ${token}`, 'The token is not kept and cannot be told again.', ''].join('\n');
};

const off: Action = async ({ table }, { subject: appId, dryRun }) => {
  if (dryRun) {
    const key = await findAppKey(table, appId);
    if (!key) throw notFound('app_key', appId);
    const state = key.active ? 'is on and can be switched off' : 'is off';
    return `${appId} of ${key.project_id} ${state}. Nothing was written.\n`;
  }
  return (await switchOffAppKey(table, appId))
    ? `${appId} is off; what knows it stops within 60 seconds\n`
    : `${appId} was off before\n`;
};

const list: Action = async ({ table }, { subject: projectId }) => {
  const appKeys = await listAppKeys(table, projectId);
  return appKeys.map(({ app_id, name, active }) => `${app_id}\t${name}\t${active ? 'on' : 'off'}\n`).join('');
};

const actions = new Map([
  ['create', { action: create, options: ['name', 'id', 'dry-run'] }],
  ['off', { action: off, options: ['dry-run'] }],
  ['list', { action: list, options: [] }],
]);

await main(usage, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: { name: { type: 'string' }, id: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [verb = '', subject, ...rest] = positionals;
  const known = actions.get(verb);
  if (!known || rest.length > 0) throw new Misuse();
  const foreign = Object.keys(values).find((option) => !known.options.includes(option));
  if (foreign !== undefined) throw new Misuse(`${verb} takes no --${foreign}`);
  const call: Call = {
    subject: checked(verb === 'off' ? 'APP_ID' : 'PROJECT', subject),
    name: verb === 'create' ? checked('--name', values.name) : '',
    id: values.id === undefined ? undefined : checked('--id', values.id),
    dryRun: values['dry-run'] ?? false,
  };
  return withTable(process.env, {}, (target) => known.action(target, call));
});
