import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

const readVersion = (): string => {
  const read: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  if (read === null || typeof read !== 'object' || !('version' in read) || typeof read.version !== 'string')
    throw new Error('package.json has no version');
  return read.version;
};

/** The paths of the product's own data files, and its version. */
export const product = {
  version: readVersion(),
  languages: new URL('languages/', root),
  tokens: new URL('design/tokens.css', root),
  design: new URL('design/', root),
  logo: new URL('design/logo.svg', root),
  texts: root,
  webClient: fileURLToPath(new URL('web/dist', root)),
} as const;
