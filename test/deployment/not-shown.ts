/** Lists what the emulator accepts and then leaves out. Only a real account shows it. */
export const notShown: readonly string[] = [
  'rights: IAM refuses no call, so a missing right of a role stays hidden',
  'point-in-time recovery and backups: settings are stored, and nothing can be restored',
  'the time to live of items: nothing expires by itself',
  'keys of KMS: nothing is encrypted with them',
  'throttles, reserved executions and quotas: no call is refused by them',
  'tumbling windows: the reader that counts gets its batches without waiting',
  'facts of reports: no file of Firehose is read, and no query of Athena is called',
  'subscriptions of log groups: the validations of a code are not counted',
  'gradual deployment: CodeDeploy is left out',
  'alarms: formulas of metrics are left out, and no alarm is raised',
  'certificate, domain and rules of WAF: the distribution is called by its own name',
  'calls of the tools of agents: their function calls the gateway by HTTPS, which the emulator does not serve',
  'the times of cold starts, and of calls of the table',
];
