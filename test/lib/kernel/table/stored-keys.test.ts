import { expect, test } from 'vitest';
import { invitationMails, inviteeKey } from '#addons/admin/management/invitation.ts';
import { projectUsers, userKey } from '#addons/admin/management/user.ts';
import { storedRules } from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { appKeyPointers, appKeysById } from '#kernel/access/projects/app-key.ts';
import { clientKeyPointers, clientKeysById } from '#kernel/access/projects/client-key.ts';
import {
  listedManagementKeys,
  managementKeyPointers,
  managementKeysById,
} from '#kernel/access/projects/management-key.ts';
import { listedProjects, projectsById } from '#kernel/access/projects/project.ts';
import { tokensByHash } from '#kernel/access/tokens/token.ts';
import { accountsById } from '#kernel/access/users/account.ts';
import { browserCalls } from '#kernel/http/browser-calls.ts';
import { idempotencyRecords } from '#kernel/http/idempotency-record.ts';
import { tillBuckets } from '#kernel/http/till-leases.ts';
import { digestPart, type Key } from '#kernel/table/keys.ts';

// A change to one of these keys loses stored data.
test.each<[string, Key, string, string]>([
  ['an app key', appKeysById('shop'), 'APP_KEY#shop', 'APP_KEY'],
  ['a management key', managementKeysById('ops'), 'MANAGEMENT_KEY#ops', 'MANAGEMENT_KEY'],
  ['a key for all projects', listedManagementKeys.at('ops'), 'MANAGEMENT_KEYS_OF_ALL', 'MANAGEMENT_KEY#ops'],
  ['a client key', clientKeysById('page'), 'CLIENT_KEY#page', 'CLIENT_KEY'],
  ['a token', tokensByHash('hash'), 'TOKEN#hash', 'TOKEN'],
  ['a project', projectsById('proj'), 'proj#PROJECT', 'PROJECT'],
  ['a project in the list of all', listedProjects.at('proj'), 'PROJECTS', 'PROJECT#proj'],
  ['the way to an app key', appKeyPointers('proj', 'shop'), 'proj#APP_KEYS', 'APP_KEY#shop'],
  ['the way to a management key', managementKeyPointers('proj', 'ops'), 'proj#MANAGEMENT_KEYS', 'MANAGEMENT_KEY#ops'],
  ['the way to a client key', clientKeyPointers('proj', 'page'), 'proj#CLIENT_KEYS', 'CLIENT_KEY#page'],
  ['a user of all projects', accountsById('user_1'), 'USER_ACCOUNT#user_1', 'USER_ACCOUNT'],
  ['the users of a project', projectUsers('proj'), 'proj#PROJECT_USERS', 'PROJECT_USERS'],
  ['a user', userKey('proj', 'A.B@mail.example'), `proj#USER#${digestPart('a.b@mail.example')}`, 'USER'],
  ['an invited person', inviteeKey('ANA'), 'INVITEE#ana', 'INVITEE'],
  ['the mail of an invitation', invitationMails('inv_1'), 'INVITATION_MAIL#inv_1', 'JOB'],
  ['an idempotency key', idempotencyRecords('proj', 'shop', 'x'), 'proj#IDEMPOTENCY_KEY#shop#x', 'IDEMPOTENCY_KEY'],
  ['calls of a page', browserCalls('proj', 'x', '7'), 'proj#PAGE_CALLS#x#7', 'PAGE_CALLS'],
  ["a copy of a project's bucket", tillBuckets('proj', '3'), 'proj#TILL_BUCKET#3', 'TILL_BUCKET'],
  ['a validation rule', validationRule.few('proj', 'val_1'), 'proj#VALIDATION_RULESS', 'VALIDATION_RULES#val_1'],
  ['the same bucket by its key', storedRules('proj', 'val_1'), 'proj#VALIDATION_RULESS', 'VALIDATION_RULES#val_1'],
])('%s keeps its place in the table', (_, { pk, sk }, ...expected) => {
  expect([pk, sk]).toEqual(expected);
});
