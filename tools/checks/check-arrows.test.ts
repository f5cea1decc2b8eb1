import { describe, expect, test } from 'vitest';
import architecture from '../../architecture.json' with { type: 'json' };
import { checkArrows } from './check-arrows.ts';
import { plantTree } from './planted-tree.ts';

const manifests = {
  'architecture.json': architecture,
  'contract/package.json': { name: '@pergamin/contract', exports: { '.': './src/index.ts' } },
  'identity/package.json': { name: '@pergamin/identity', exports: { '.': './src/identity.door.ts' } },
  'server/package.json': { name: '@pergamin/server', exports: { './testing': './src/testing/index.ts' } },
  'web/package.json': { name: '@pergamin/web' },
  'cli/package.json': { name: 'pergamin-cli' },
  'tools/package.json': { name: '@pergamin/tools', exports: { './demo': './demo/index.ts' } },
  'bench/package.json': { name: '@pergamin/bench' },
  'e2e/package.json': { name: '@pergamin/e2e' },
};

/** One import that is always right, since a tree without any is refused. */
const innocent = `import { start } from '#app/start.ts';`;

const check = (files: Record<string, string>): string[] => checkArrows(plantTree({ ...manifests, ...files })).problems;

describe('imports that follow the arrows', () => {
  test.each([
    ['server/src/app/wiring.ts', `import { documents } from '#features/documents/documents.door.ts';`],
    ['server/src/app/wiring.ts', `import { identity } from '@pergamin/identity';`],
    ['server/src/features/publishing/publishing.service.ts', `import { rendering } from '#features/rendering/rendering.door.ts';`],
    ['server/src/features/documents/documents.routes.ts', `import { list } from './documents.service.ts';`],
    ['server/src/features/documents/documents.test.ts', `import { product } from '#testing/product.ts';`],
    ['server/src/platform/http/http.ts', `import { calls } from '@pergamin/contract';`],
    ['web/src/app/Workspace.tsx', `const viewer = () => import('#features/viewer/ViewerWindow.tsx');`],
    ['web/src/kit/overlays/Menu.tsx', `import { Menu } from 'react-aria-components';`],
    ['web/src/platform/i18n.ts', `import texts from '../../../languages/pl.json' with { type: 'json' };`],
    ['web/src/kit/icons/Icon.tsx', `import sprite from '../../../../design/icons.svg?url';`],
    ['bench/received.ts', `import { product } from '@pergamin/server/testing';`],
    ['tools/bootstrap/serve.mjs', `await import('../../server/src/main.ts');`],
  ])('%s: %s', (file, source) => {
    expect(check({ 'server/src/main.ts': innocent, [file]: source })).toEqual([]);
  });
});

describe('imports against the arrows', () => {
  test.each([
    [
      'a lower layer looks up',
      'server/src/platform/http/http.ts',
      `import { x } from '#features/documents/documents.door.ts';`,
      'must not import',
    ],
    ['only a type is wanted', 'server/src/platform/http/http.ts', `import type { X } from '#app/wiring.ts';`, 'must not import'],
    ['it is passed on', 'server/src/features/documents/documents.door.ts', `export { x } from '#app/wiring.ts';`, 'must not import'],
    ['everything is passed on', 'server/src/platform/log/log.ts', `export * from '#app/wiring.ts';`, 'must not import'],
    ['it is imported at run time', 'server/src/platform/log/log.ts', `await import('#app/wiring.ts');`, 'must not import'],
    ['it hides in a type', 'server/src/platform/log/log.ts', `export type X = import('#app/wiring.ts').X;`, 'must not import'],
    ['it is a worker', 'server/src/platform/log/log.ts', `new Worker(new URL('../../app/work.ts', import.meta.url));`, 'must not import'],
    ['it climbs by ../', 'server/src/platform/log/log.ts', `import { x } from '../../app/wiring.ts';`, 'must not import'],
    [
      'the room is not entered by its door',
      'server/src/app/wiring.ts',
      `import { x } from '#features/documents/documents.store.ts';`,
      'behind the door',
    ],
    [
      'a neighbour is not entered by its door',
      'server/src/features/publishing/a.ts',
      `import { x } from '#features/documents/b.ts';`,
      'behind the door',
    ],
    [
      'no arrow is declared between neighbours',
      'server/src/features/metadata/a.ts',
      `import { x } from '#features/documents/documents.door.ts';`,
      'no arrow',
    ],
    [
      'a room is not declared',
      'server/src/features/gossip/a.ts',
      `import { x } from '#features/documents/documents.door.ts';`,
      'not declared',
    ],
    ['test support is used by the product', 'server/src/app/wiring.ts', `import { x } from '#testing/product.ts';`, 'must not import'],
    ['identity knows the server', 'identity/src/a.ts', `import { x } from '@pergamin/contract';`, 'must not import'],
    ['a feature knows identity', 'server/src/features/accounts/a.ts', `import { x } from '@pergamin/identity';`, 'must not import'],
    [
      'web features know one another',
      'web/src/features/viewer/a.ts',
      `import { x } from '#features/statements/b.ts';`,
      'app composes them',
    ],
    ['a feature uses the bare part', 'web/src/features/viewer/a.tsx', `import { Menu } from 'react-aria-components';`, 'is wrapped'],
    ['the desktop uses the bare part', 'web/src/desktop/a.tsx', `import { Table } from 'react-aria-components';`, 'is wrapped'],
    ['the client knows the server', 'cli/src/a.ts', `import { x } from '@pergamin/server/testing';`, 'must not import'],
    [
      'a package is entered by its back',
      'web/src/app/a.ts',
      `import { x } from '@pergamin/contract/src/call.ts';`,
      'not among the exports',
    ],
    [
      'a package is entered by a path',
      'web/src/app/a.ts',
      `import { x } from '../../../contract/src/call.ts';`,
      'climbs into another workspace',
    ],
    ['it leads out of the house', 'web/src/app/a.ts', `import { x } from '../../../docs/x.ts';`, 'out of every room'],
    ['data hides code', 'web/src/app/a.ts', `import { x } from '../../../languages/load.ts';`, 'is data'],
    ['the target is worked out', 'web/src/app/a.ts', 'await import(`#features/${name}.ts`);', 'worked out at run time'],
    ['the source is broken', 'web/src/app/a.ts', 'import {', 'cannot be read'],
  ])('%s', (_name, file, source, problem) => {
    const problems = check({ 'server/src/main.ts': innocent, [file]: source });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toContain(file);
  });

  test('doors that form a cycle are refused, even when no file imports through them', () => {
    const doors = { 'server/features': { documents: ['rendering'], rendering: ['metadata'], metadata: ['documents'] } };
    const files = { ...manifests, 'architecture.json': { ...architecture, doors }, 'server/src/main.ts': innocent };
    expect(checkArrows(plantTree(files)).problems).toEqual([expect.stringContaining('documents → rendering → metadata → documents')]);
  });

  test('a check that sees no import says so instead of being content', () => {
    expect(check({ 'server/src/main.ts': `import { readFile } from 'node:fs';` })).toEqual([
      expect.stringContaining('no import of our own'),
    ]);
  });
});
