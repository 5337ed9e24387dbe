import type { Draw } from './get-asset.ts';

/** Draws Code 128 (ISO/IEC 15417). It encodes bytes, so characters beyond ASCII are drawn as UTF-8. */
export const drawBarcode: Draw = async (code, type) => {
  const { code128, drawingSVG } = await import('./code128.ts');
  const options = { bcid: 'code128', text: code, height: 15, padding: 4, scale: 3, backgroundcolor: 'FFFFFF' };
  if (type === 'image/png') return code128(options);
  return Buffer.from(code128(options, drawingSVG()));
};
