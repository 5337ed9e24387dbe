import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/**
 * Sends a mail when AWS expects the stage to cost more in a month. AWS counts a tag only after it was activated as a
 * cost allocation tag.
 */
export function createBudget(
  scope: Construct,
  { stage, dollars, email }: { stage: string; dollars: number; email: string },
): void {
  const notify = (notificationType: string) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100, thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'EMAIL', address: email }],
  });
  new CfnBudget(scope, 'budget', {
    budget: {
      budgetName: Stack.of(scope).stackName,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: [notify('FORECASTED'), notify('ACTUAL')],
  });
}
