/** Methods of the client whose path the service does not have, each with its reason. */
export const unserved: Readonly<Record<string, string>> = {
  'consents.list': 'consents are no longer in the public interface',
  'customers.updateConsents': 'consents are no longer in the public interface',
  'loyalties.getMemberActivities': 'deprecated, and in no public document; listMemberActivity returns the same',
  'validationRules.validate': 'in no public document; validations check the rules of what is redeemed',
};
