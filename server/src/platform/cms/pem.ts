const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];

/** The DER of each certificate of a PEM file (RFC 7468), in its order; what stands between them is left out, and so is one without its end. */
export const certificatesOfPem = (pem: string): Uint8Array[] =>
  pem
    .split(begin)
    .slice(1)
    .flatMap((block) => {
      const at = block.indexOf(end);
      return at === -1 ? [] : [Buffer.from(block.slice(0, at), 'base64')];
    });
