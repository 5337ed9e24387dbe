import { addOn, lazyWork } from '#kernel/kit/add-on.ts';

/** Exports, imports of files, and bulk requests. A test compares these paths with the operations that store rows. */
export const filesAddOn = addOn({
  name: 'files',
  operations: [
    '/v1/exports',
    '/v1/campaigns/{campaignId}/import',
    '/v1/campaigns/{campaignId}/importCSV',
    '/v1/customers/bulk',
    '/v1/customers/importCSV',
    '/v1/customers/metadata',
    '/v1/orders/import',
    '/v1/products/bulk',
    '/v1/products/importCSV',
    '/v1/products/metadata',
    '/v1/skus/importCSV',
    '/v1/vouchers/bulk',
    '/v1/vouchers/import',
    '/v1/vouchers/importCSV',
    '/v1/vouchers/metadata',
  ],
  jobs: () => ({
    bulk: lazyWork(async () => (await import('./bulk-rows.ts')).bulkRows),
    export: lazyWork(async () => (await import('./exports.ts')).writeExports),
  }),
  stack: { queues: [], files: { bulk: ['read rows', 'read uploads', 'put reports'] } },
  options: [],
});
