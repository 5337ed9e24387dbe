import { campaignEntry } from './lists.ts';
import { withPages } from './pages.ts';
import { loadFile, projectFile } from './project.ts';

function fileWith(client?: object) {
  const file = projectFile({
    campaigns: [
      { id: 'camp_p', name: 'Beans', campaign_type: 'PROMOTION', type: 'STATIC' },
      campaignEntry('camp_c', 'Codes', 'DISCOUNT_COUPONS', { client_publication: ['DISCOUNT_VOUCHER'] }),
    ],
    validation_rules: [{ id: 'val_1', name: 'One' }],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_type: 'promotion_tier', related_object_id: 'promo_1' },
    ],
    promotion_tiers: [
      {
        id: 'promo_1',
        name: 'Two bags',
        campaign_id: 'camp_p',
        hierarchy: 1,
        summary: { redemptions: { total_redeemed: 7 }, orders: { total_amount: 700, total_discount_amount: 70 } },
      },
    ],
    vouchers: [{ code: 'FREE', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_c' }],
    customers: [
      { id: 'cust_1', source_id: 'crm-1', name: 'Ingrid', email: 'ingrid@post.example', metadata: { debts: 5 } },
    ],
    event_schema: [{ name: 'visit', metadata: { page: 'string' } }],
  });
  const paged = withPages(file);
  return { ...paged, project: { ...paged.project, ...(client ? { client } : {}) } };
}

export type PageProject = ReturnType<typeof fileWith>;

/** Loads a project with a key for its web pages. `client` overrides what its pages may do; by default they send events and publish. */
export async function pageProject(client?: object): Promise<PageProject> {
  const file = fileWith({ events: true, publication: true, ...client });
  await loadFile(file);
  return file;
}

export const visit = { event: 'visit', customer: { source_id: 'crm-1' }, metadata: { page: '/beans' } };
export const freeCode = { campaign: { name: 'Codes' }, customer: { source_id: 'crm-1' } };
