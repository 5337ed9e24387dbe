import * as v from 'valibot';
import { expect, test } from 'vitest';
import { invitationBody } from '#addons/admin/management/invitation.ts';

test.each([
  ...['Ana', 'J.R. Moe', 'J. R. R.', 'St. John', 'Ola Jr.', "O'Neil", 'Jean-Luc', 'Gal·la', 'Đặng', '山田 太郎'],
])('%s is a name that an invitation may have', (first_name) => {
  const body = { email: 'ana@mail.example', first_name, last_name: 'Lund', projects: { proj_1: 'USER' } };
  expect(v.safeParse(invitationBody, body).issues).toBeUndefined();
});
