/** Returns a copy of the metadata of a stored product or SKU. */
export function copyMetadata(stored: { metadata?: unknown } | undefined): Record<string, unknown> {
  const metadata: unknown = stored?.metadata;
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}
