import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Every synthesis is checked against AWS's own rules; what is neither right nor excused below fails it. */
export function checkByRules(app: App): AwsSolutionsChecks {
  const rules = new AwsSolutionsChecks(app);
  Validations.of(app).addPlugins(rules);
  return rules;
}

/** Excuses a finding, where it is found. The reason has to convince whoever signs the stack. */
export function excuse(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}
