export const imageTypes = ['image/svg+xml', 'image/png'] as const;

export type ImageType = (typeof imageTypes)[number];

/** SVG unless the caller asks for PNG and not for SVG: browsers that take everything get what scales. */
export function wantedImageType(accept: string | undefined): ImageType {
  const wanted = (accept ?? '').toLowerCase();
  return wanted.includes('image/png') && !wanted.includes('image/svg+xml') ? 'image/png' : 'image/svg+xml';
}
