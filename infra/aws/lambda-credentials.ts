import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. Lambda hands over its role's credentials in the
 * environment, where the SDK looks first. The rest of its chain (files, SSO, metadata services) is a third of a bundle.
 */
export const defaultProvider = fromEnv;
