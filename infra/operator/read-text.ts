/** Reads the body of a reply. Rejects one above the limit, because a body without an end would fill the memory. */
export async function readText(reply: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of reply.body ?? []) {
    bytes += piece.byteLength;
    // The end of the loop cancels the rest of the body.
    if (bytes > maxBytes) throw new TooLarge(`the reply has more than ${maxBytes.toLocaleString('en')} bytes`);
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** A reply was larger than its limit. Another attempt would not help. */
export class TooLarge extends Error {}
