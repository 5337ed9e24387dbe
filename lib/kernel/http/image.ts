export const imageTypes = ['image/svg+xml', 'image/png'] as const;

export type ImageType = (typeof imageTypes)[number];

/** Prefers SVG, unless the caller accepts PNG and not SVG. Browsers that accept both get the scalable picture. */
export function chooseImageType(accept: string | undefined): ImageType {
  const wanted = (accept ?? '').toLowerCase();
  return wanted.includes('image/png') && !wanted.includes('image/svg+xml') ? 'image/png' : 'image/svg+xml';
}
