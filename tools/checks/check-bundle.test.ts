import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkBundle } from './check-bundle.ts';
import { plantTree } from './planted-tree.ts';

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_react.js'], dynamicImports: ['src/app/SignIn.tsx', 'src/app/Workspace.tsx'] },
  '_react.js': { file: 'assets/react.js' },
  'src/app/SignIn.tsx': { file: 'assets/sign-in.js', imports: ['_react.js'] },
  'src/app/Workspace.tsx': {
    file: 'assets/workspace.js',
    imports: ['_desktop.js', '_react.js'],
    dynamicImports: ['src/features/viewer.tsx'],
  },
  '_desktop.js': { file: 'assets/desktop.js', imports: ['index.html'] },
  'src/features/viewer.tsx': { file: 'assets/viewer.js' },
};

const dist = (sizes: Record<string, number>): Record<string, string | object> => ({
  'web/dist/.vite/manifest.json': manifest,
  ...Object.fromEntries(
    // Hexadecimal noise compresses to half: the budget is about compressed bytes.
    ['index', 'react', 'sign-in', 'workspace', 'desktop', 'viewer'].map((name) => [
      `web/dist/assets/${name}.js`,
      randomBytes((sizes[name] ?? 10) * 1000).toString('hex'),
    ]),
  ),
});

test('what both pages load first is within the budget, however large the rest is', () => {
  const { problems, lines } = checkBundle(plantTree(dist({ react: 60, workspace: 60, viewer: 900 })));
  expect(problems).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('in 3 scripts'), expect.stringContaining('in 4 scripts')]);
});

test('a workspace that draws in too much is over its budget, and sign-in is not', () => {
  expect(checkBundle(plantTree(dist({ desktop: 160 }))).problems).toEqual([
    expect.stringMatching(/^workspace: .* 165 kB in 8 are allowed$/),
  ]);
});

test('a workspace in too many scripts is over its budget, however small they are', () => {
  const names = Array.from({ length: 5 }, (_, i) => `_small-${i}.js`);
  const workspace = { ...manifest['src/app/Workspace.tsx'], imports: ['_desktop.js', '_react.js', ...names] };
  const small = Object.fromEntries(names.map((name) => [name, { file: `assets/${name}` }]));
  const files = Object.fromEntries(names.map((name) => [`web/dist/assets/${name}`, 'small']));
  const whole = { ...manifest, ...small, 'src/app/Workspace.tsx': workspace };
  const tree = plantTree({ ...dist({}), ...files, 'web/dist/.vite/manifest.json': whole });
  expect(checkBundle(tree).problems).toEqual([expect.stringMatching(/^workspace: .* in 9 scripts; 165 kB in 8 are allowed$/)]);
});

test('the size of the compressed file that is really served counts, when there is one', () => {
  const files = { ...dist({ desktop: 160 }), 'web/dist/assets/desktop.js.br': 'small' };
  expect(checkBundle(plantTree(files)).problems).toEqual([]);
});

test('a page that is no longer a chunk of its own is not measured as nothing', () => {
  const { 'src/app/SignIn.tsx': _, ...rest } = manifest;
  expect(() => checkBundle(plantTree({ ...dist({}), 'web/dist/.vite/manifest.json': rest }))).toThrow('src/app/SignIn.tsx');
});
