import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Checks every synthesis against AWS's own rules. A finding that is not excused below fails it. */
export function checkByRules(app: App): AwsSolutionsChecks {
  const rules = new AwsSolutionsChecks(app);
  Validations.of(app).addPlugins(rules);
  return rules;
}

/** Excuses a finding at its resource. The reason must convince the person that approves the stack. */
export function excuse(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}
