import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. Lambda hands its role's credentials over in the
 * environment, where the SDK would look first anyway; the rest of its chain (files, SSO, metadata services) is a third
 * of a bundle.
 */
export const defaultProvider = fromEnv;
