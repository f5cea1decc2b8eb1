import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Brand, mountPath } from '../parts.ts';
import { type Markup, trustedMarkup } from './html.ts';
import { linkScript } from './link-script.ts';
import { signInScript } from './sign-in-script.ts';

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

export interface Assets {
  /** By the path below `/identity/assets/`. Names hold a hash of their content, so they may be kept for ever. */
  find(name: string): Asset | undefined;
  readonly styles: string;
  readonly logo: string;
  readonly favicon: string;
  readonly deskPrint: string;
  /** Of the page that sets a password. */
  readonly linkScript: string;
  /** Of the page that asks for the password. */
  readonly signInScript: string;
  /** An icon of the product's set, drawn into the page. */
  icon(name: string): Markup;
}

const design = new URL('../../../design/', import.meta.url);
const fontPackages = ['atkinson-hyperlegible-next', 'atkinson-hyperlegible-mono'];

const readDesign = (name: string): string => readFileSync(new URL(name, design), 'utf8');

const hashed = (name: string, body: Buffer): string => {
  const [base, ending] = name.split('.');
  return `${base}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${ending}`;
};

/** Reads everything once at start; about 100 kB stay in memory. */
export const readAssets = ({ styles = '', logo }: Pick<Brand, 'styles' | 'logo'> = {}): Assets => {
  const assets = new Map<string, Asset>();
  const add = (name: string, type: string, body: Buffer): string => {
    const path = hashed(name, body);
    assets.set(path, { type, body });
    return `${mountPath}/assets/${path}`;
  };

  const addFonts = (family: string): string => {
    const css = fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/index.css`));
    const folder = join(dirname(css), 'files');
    const addresses = new Map(
      readdirSync(folder)
        .filter((file) => file.endsWith('normal.woff2'))
        .map((file) => [file, add(file, 'font/woff2', readFileSync(join(folder, file)))]),
    );
    return readFileSync(css, 'utf8').replaceAll(/url\(\.\/files\/([^)]+)\)/g, (_whole, file: string) => `url(${addresses.get(file)})`);
  };

  const sheets = [
    ...fontPackages.map(addFonts),
    readDesign('tokens.css'),
    readDesign('base.css'),
    readFileSync(new URL('./identity.css', import.meta.url), 'utf8'),
    styles,
  ];
  const icons = new Map(
    [...readDesign('icons.svg').matchAll(/<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)<\/symbol>/gs)].map(([, name, box, shapes]) => [
      name,
      `<svg class="icon" viewBox="${box}" fill="currentColor" aria-hidden="true" focusable="false">${shapes}</svg>`,
    ]),
  );
  return {
    find: (name) => assets.get(name),
    styles: add('identity.css', 'text/css; charset=utf-8', Buffer.from(sheets.join('\n'))),
    logo:
      logo === undefined
        ? add('logo.svg', 'image/svg+xml', Buffer.from(readDesign('logo.svg')))
        : add(`logo.${logo.type.replace(/^image\/(\w+).*$/, '$1')}`, logo.type, logo.body),
    favicon: add('favicon.svg', 'image/svg+xml', Buffer.from(readDesign('favicon.svg'))),
    deskPrint: add('desk-print.svg', 'image/svg+xml', Buffer.from(readDesign('desk-print.svg'))),
    signInScript: add('sign-in.js', 'text/javascript; charset=utf-8', Buffer.from(signInScript)),
    linkScript: add('set-password.js', 'text/javascript; charset=utf-8', Buffer.from(linkScript)),
    icon(name) {
      const icon = icons.get(name);
      if (icon === undefined) throw new Error(`design/icons.svg has no ${name}`);
      return trustedMarkup(icon);
    },
  };
};
