import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin, type Rolldown } from 'vite';
import { offlinePage, offlineParts } from './offline-page.ts';

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

/**
 * Nothing is painted before a script has put the chosen colours on the page: no flash of others. Vite drops the word when it is in index.html.
 * A page that is drawn already waits for the small script alone: the server takes the word from the other one.
 */
function paintAfterScripts(): Plugin {
  return {
    name: 'paint-after-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === beforePaint);
        if (first === undefined) throw new Error('The script that runs before the first paint is no file of its own any more');
        const script = '<script type="module" blocking="render"';
        const preload = new RegExp(`\\s*<link rel="modulepreload"[^>]*${first.fileName}">`);
        const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
        const scripts = [`${script} crossorigin src="/${first.fileName}"></script>`, script];
        // Over HTTP/1.1 a browser asks for six things at once: what the first paint waits for comes first.
        return styles
          .reduce((page, style) => page.replace(new RegExp(`\\s*${style}`), ''), html.replace(preload, ''))
          .replace('<script type="module"', [...styles, ...scripts].join('\n    '));
      },
    },
  };
}

const beforePaint = 'before-paint';
/** What only other pages show: left out of the program that draws the sign-in page. */
const otherPages = /[\\/](?:Workspace|PublicView|AccessibilityPage|VerifyPage|SingleSignOnPage)\.tsx$/;

type ModuleGraph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/** All that loads with a source file, by imports that are no `import()`; without what is in `but`. */
const reachedFrom = (graph: ModuleGraph, name: string, but: ReadonlySet<string> = new Set()): Set<string> => {
  const reached = new Set<string>();
  const visit = (id: string): void => {
    if (reached.has(id) || but.has(id)) return;
    reached.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  visit(normalizePath(join(import.meta.dirname, 'src/app', name)));
  return reached;
};

/** What the workspace loads beyond what every page does. */
let ofWorkspace: Set<string> | undefined;
const isOfWorkspace = (id: string, graph: ModuleGraph): boolean => {
  ofWorkspace ??= reachedFrom(graph, 'Workspace.tsx', reachedFrom(graph, 'main.tsx'));
  // The contract is one folder behind one file, of which main.tsx reaches all and loads little.
  return ofWorkspace.has(id) || id.endsWith('/contract/src/account.ts');
};

const inBrowser = (plugin: Plugin): Plugin => ({ ...plugin, applyToEnvironment: ({ name }) => name === 'client' });

export default defineConfig({
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    // Without it React Aria brings its words in thirty languages: 21 kB more.
    { ...optimizeLocales.vite({ locales: ['pl-PL', 'en-US'] }), apply: 'build' },
    inBrowser(paintAfterScripts()),
    offlineParts(),
    offlinePage(),
    { ...precompress(), applyToEnvironment: ({ name }) => name !== 'drawing' },
  ],
  // React has what the router's package would bring for older ones.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    target: ['chrome131', 'edge131', 'firefox133', 'safari18.2'],
    manifest: true,
    // Every asset is a file of its own, hashed and cached for good; nothing hides in a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  builder: {
    // The others write into the folder of the first.
    buildApp: async (builder) => {
      for (const name of ['client', 'drawing', 'offline']) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Schemas of the contract that a page does not use are left out of it.
          treeshake: { manualPureFunctions: ['z'] },
          output: {
            codeSplitting: {
              groups: [
                {
                  name: beforePaint,
                  test: /[\\/](?:app[\\/]before-paint|sign-in[\\/]early-press|platform[\\/]appearance)\.ts$/,
                  priority: 2,
                },
                // Each further file that the first paint needs is a further request.
                // @NOTE What main.tsx shares with `lists` belongs here: it would be put into `lists`, and every page would load that.
                {
                  name: 'frame',
                  test: /[\\/](?:kit[\\/](?:icons[\\/]Icon|forms[\\/]TextField|buttons[\\/](?:Icon)?Button|feedback[\\/](?:Announcer|Boundary)|layout[\\/](?:DeskPrint|usePhone)|styles[\\/]classes)|desktop[\\/]Brand|platform[\\/](?:api|brand|code-on-demand|language))\.tsx?$|vite[\\/]preload-helper\.js$/,
                  priority: 1,
                },
                // What the workspace shares with its windows, in one request: over HTTP/1.1 each small file delays those after it.
                { name: (id, graph) => (isOfWorkspace(id, graph) ? 'lists' : null), debugName: 'lists', minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    // verify.html: everything in one file.
    offline: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        manifest: false,
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          treeshake: { manualPureFunctions: ['z'] },
          input: 'src/features/verification/offline/main.tsx',
          output: { codeSplitting: false },
        },
      },
    },
    drawing: {
      consumer: 'server',
      define: { 'process.env.NODE_ENV': '"production"' },
      // One file, which needs nothing beside it.
      resolve: { noExternal: true },
      build: {
        ssr: true,
        emptyOutDir: false,
        emitAssets: false,
        manifest: false,
        outDir: 'dist/.vite',
        rolldownOptions: {
          input: 'src/app/prerender-sign-in.tsx',
          external: otherPages,
          output: { codeSplitting: false, entryFileNames: 'prerender-sign-in.mjs' },
        },
      },
    },
  },
});
