import type * as v from 'valibot';
import { campaignVoucher, loyaltyTiersExpiration } from '../../lib/campaigns/campaign.ts';
import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { category } from '../../lib/campaigns/category.ts';
import { codeConfig } from '../../lib/campaigns/code-space.ts';
import { discount, gift } from '../../lib/campaigns/discount.ts';
import { validationRulesAssignment } from '../../lib/campaigns/validation-rules-assignment.ts';
import { validityHours, validityTimeframe } from '../../lib/campaigns/validity.ts';
import { customer } from '../../lib/customers/customer.ts';
import { activity } from '../../lib/customers/list-activities.ts';
import { eventRecord } from '../../lib/events/event-body.ts';
import { limitQuery } from '../../lib/lists/page.ts';
import { transactionList } from '../../lib/loyalty/list-transactions.ts';
import { loyaltyTier } from '../../lib/loyalty/loyalty-tier.ts';
import { pendingPointsBalance } from '../../lib/loyalty/pending-points.ts';
import { loyaltyTierReward, reward, rewardAssignment } from '../../lib/loyalty/reward.ts';
import { brandConfiguration } from '../../lib/management/brand.ts';
import { invitationBody, maxProjects } from '../../lib/management/invitation.ts';
import { builtInRoles } from '../../lib/management/role.ts';
import { tierQuery } from '../../lib/promotions/list-tiers.ts';
import { promotionTier } from '../../lib/promotions/promotion-tier.ts';
import { tokenRoutes } from '../../lib/routes/tokens.ts';
import { date, dateTime, duration, email, metadata } from '../../lib/schema.ts';
import { scopeNames } from '../../lib/tokens/scopes.ts';
import { introspection, token } from '../../lib/tokens/token.ts';
import { voucher } from '../../lib/vouchers/voucher.ts';
import type { Json } from './schemas.ts';

/** Schemas that have a name of their own in the document. */
export const components = {
  Campaign: campaign,
  CampaignVoucher: campaignVoucher,
  Category: category,
  CodeConfig: codeConfig,
  Discount: discount,
  Gift: gift,
  LoyaltyTiersExpiration: loyaltyTiersExpiration,
  ValidationRulesAssignment: validationRulesAssignment,
  ValidityHours: validityHours,
  ValidityTimeframe: validityTimeframe,
  Voucher: voucher,
  PromotionTier: promotionTier,
  LoyaltyTier: loyaltyTier,
  Reward: reward,
  RewardAssignment: rewardAssignment,
  LoyaltyTierReward: loyaltyTierReward,
  PointsTransaction: transactionList.entries.data.item,
  PendingPointsBalance: pendingPointsBalance,
  Customer: customer,
  Activity: activity,
  Event: eventRecord,
  Token: token,
  Introspection: introspection,
  BrandConfiguration: brandConfiguration,
} as const satisfies Record<string, v.GenericSchema>;

export type Component = keyof typeof components;

const tokenForm: Json = {
  type: 'object',
  properties: { access_token: { type: 'string' } },
  required: ['access_token'],
};

/** Schemas whose rules are functions or texts for queries, in the words of JSON Schema. */
export const inline: readonly { schema: v.GenericSchema; as: Json }[] = [
  { schema: dateTime, as: { type: 'string', format: 'date-time' } },
  { schema: date, as: { type: 'string', format: 'date' } },
  {
    schema: duration,
    as: {
      type: 'string',
      format: 'duration',
      pattern: duration.pipe[1].requirement.source,
    },
  },
  { schema: email, as: { type: 'string', format: 'email' } },
  {
    schema: metadata,
    as: { type: 'object', description: 'Free key/value pairs.', additionalProperties: true },
  },
  // Numbers of a query, which come as text.
  { schema: limitQuery.limit.wrapped, as: { type: 'integer', minimum: 1, maximum: 100 } },
  { schema: tierQuery.entries.is_available.wrapped, as: { type: 'boolean' } },
  {
    schema: invitationBody.entries.projects,
    as: {
      type: 'object',
      description: `By project id the role in it: one of ${builtInRoles.join(', ')}, or the id of a custom role.`,
      additionalProperties: { type: 'string' },
      minProperties: 1,
      maxProperties: maxProjects,
    },
  },
  {
    // Its fields are texts of any kind in code, since each has an error key of its own.
    schema: tokenRoutes['issue-token'].body.schema,
    as: {
      type: 'object',
      properties: {
        grant_type: { type: 'string', enum: ['client_credentials'] },
        scope: {
          type: 'string',
          description: `Names parted by single spaces: ${scopeNames.join(', ')}. \`api\` opens every server path.`,
        },
      },
      required: ['grant_type', 'scope'],
    },
  },
  { schema: tokenRoutes['introspect-token'].body.schema, as: tokenForm },
];
