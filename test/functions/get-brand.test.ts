import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/management/get-brand.ts';
import { caller } from '../support/call.ts';
import { uniqueId } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const brand = {
  id: 'brd_roastery',
  brand: {
    name: 'Harbour Coffee',
    privacy_policy_url: 'https://harbour.example/privacy',
    terms_of_use_url: null,
    permission_reminder: 'You asked for our news.',
    website_url: null,
  },
  address: { street: '1 Quay', city: 'Bergen', postal: '5003', state: null, country: 'Norway' },
  contact: { email: 'hello@harbour.example', phone: null },
  cockpits: {
    campaigns_overview_enabled: true,
    loyalty_enabled: true,
    gift_cards_enabled: false,
    coupons_enabled: true,
    referrals_enabled: false,
    use_custom_double_opt_in_redirect_url: false,
    theme: 'light',
    custom_double_opt_in_redirect_url: null,
  },
};

const get = (projectId: string, brandingId: string) => caller(handler)({ params: { projectId, brandingId } });

const project = await loadProject({ brands: [brand] });

test('a brand configuration is shown unchanged after loading, with every field of the contract', async () => {
  const { status, body } = await get(project.id, 'brd_roastery');
  expect([status, body]).toEqual([200, brand]);
});

describe('a 404 names the missing resource:', () => {
  test('an unknown project', async () => {
    const id = uniqueId('proj_');
    const { status, body } = await get(id, 'brd_roastery');
    expect([status, body]).toMatchObject([404, { key: 'not_found', resource_type: 'project', resource_id: id }]);
  });

  test.each(['brd_nobody', '__proto__', 'BRD_ROASTERY', 'a/b', 'x'.repeat(5_000)])(
    'an unknown brand, %s',
    async (id) => {
      const { status, body } = await get(project.id, id);
      expect([status, body]).toMatchObject([
        404,
        { key: 'not_found', resource_type: 'branding_details', resource_id: id },
      ]);
    },
  );

  test('the brand of another project', async () => {
    const other = await loadProject();
    expect((await get(other.id, 'brd_roastery')).status).toBe(404);
  });
});
