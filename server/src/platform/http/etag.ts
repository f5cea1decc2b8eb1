import { sha256 } from '#platform/crypto/secrets.ts';

/** Of what is served as it is: by its content. */
export const etagOf = (body: string | Uint8Array): string => `"${sha256(body).toString('base64url').slice(0, 27)}"`;
