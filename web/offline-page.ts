import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import * as z from 'zod/mini';

const catalogue = z.record(z.string(), z.string());

const design = (name: string): string => readFileSync(fileURLToPath(new URL(`../design/${name}`, import.meta.url)), 'utf8');

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page that stands by itself: its policy allows its own script and style by their hashes, and nothing of any network. */
const pageOf = (script: string, style: string): string => {
  const symbols = design('icons.svg')
    .match(/<symbol id="([^"]+)".*?<\/symbol>/gs)
    ?.filter((symbol) => new RegExp(`["'\`]${/id="([^"]+)"/.exec(symbol)?.[1]}["'\`]`).test(script));
  return `<!doctype html>
<html lang="pl">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <title>Pergamin</title>
    <style>${style}</style>
  </head>
  <body>
    <svg hidden>${symbols?.join('')}</svg>
    <noscript>Ta strona wymaga włączonej obsługi JavaScript. <span lang="en">This page needs JavaScript.</span></noscript>
    <div id="root"></div>
    <script type="module">${script}</script>
  </body>
</html>
`;
};

/** Makes verify.html of the script and the style that the build of the environment `offline` gives. */
export const offlinePage = (): Plugin => ({
  name: 'offline-page',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'offline',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      let [script, style] = ['', ''];
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += String(file.source);
        Reflect.deleteProperty(bundle, name);
      }
      // Neither may end its element.
      const inline = (text: string): string => text.trim().replaceAll('</', String.raw`<\/`);
      this.emitFile({ type: 'asset', fileName: 'verify.html', source: pageOf(inline(script), inline(style)) });
    },
  },
});

/** Of the words, those that verify.html says; of the icons, none as a file of its own: they stand in the page. */
export const offlineParts = (): Plugin => ({
  name: 'offline-parts',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'offline',
  load(id) {
    if (/[\\/]design[\\/]icons\.svg\?url$/.test(id)) return 'export default ""';
    if (!/[\\/]languages[\\/](?:en|pl)\.json$/.test(id)) return undefined;
    const all = Object.entries(catalogue.parse(JSON.parse(readFileSync(id, 'utf8'))));
    return JSON.stringify(Object.fromEntries(all.filter(([key]) => /^(?:brand|certificate|receipt|state|verify|date|size)\./.test(key))));
  },
});
