import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const compressible = /\.(?:m?js|css|html|svg|json|webmanifest|txt)$/;
const leastBytes = 512;

/** Writes `.br` and `.gz` beside every text file, so that the server only picks one and never compresses. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    async writeBundle(options, bundle) {
      const folder = options.dir ?? 'dist';
      const names = Object.keys(bundle).filter((name) => compressible.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(folder, name);
          const bytes = await readFile(path);
          if (bytes.length < leastBytes) return;
          const brotli = promisify(brotliCompress)(bytes, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          });
          await writeFile(`${path}.br`, await brotli);
          await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

/** Nothing is painted before the script has put the chosen colours on the page: no flash of others. Vite drops the word when it is in index.html. */
function paintAfterScript(): Plugin {
  return {
    name: 'paint-after-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}

export default defineConfig({
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    // Without it React Aria brings its words in thirty languages: 21 kB more.
    { ...optimizeLocales.vite({ locales: ['pl-PL', 'en-US'] }), apply: 'build' },
    paintAfterScript(),
    precompress(),
  ],
  build: {
    target: ['chrome131', 'edge131', 'firefox133', 'safari18.2'],
    manifest: true,
    // Every asset is a file of its own, hashed and cached for good; nothing hides in a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
