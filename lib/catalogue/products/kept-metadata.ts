/** Of a product or SKU as it is stored, for lines that say more of it or nothing. */
export function metadataOf(stored: { metadata?: unknown } | undefined): Record<string, unknown> {
  const metadata: unknown = stored?.metadata;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}
