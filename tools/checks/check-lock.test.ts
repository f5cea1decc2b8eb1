import { expect, test } from 'vitest';
import { checkLock } from './check-lock.ts';
import { plantTree } from './planted-tree.ts';

const manifest = { name: 'house', dependencies: { tool: '1.2.3' } };
const locked = (packages: object): object => ({ packages: { '': manifest, ...packages } });
const tool = { version: '1.2.3', integrity: 'sha512-x' };

test('exact pins with everything locked raise nothing', () => {
  expect(checkLock(plantTree({ 'package.json': manifest, 'package-lock.json': locked({ 'node_modules/tool': tool }) })).problems).toEqual(
    [],
  );
});

test('a platform package that npm dropped is named, wherever it should have stood', () => {
  const packages = {
    'node_modules/tool': { ...tool, optionalDependencies: { 'tool-linux': '1.2.3', 'tool-darwin': '1.2.3', 'tool-win': '1.2.3' } },
    'node_modules/tool-linux': tool,
    'node_modules/tool/node_modules/tool-win': tool,
  };
  const { problems } = checkLock(plantTree({ 'package.json': manifest, 'package-lock.json': locked(packages) }));
  expect(problems).toEqual([expect.stringContaining('tool-darwin')]);
});

test('the address of a registry is refused', () => {
  const lock = locked({ 'node_modules/tool': { ...tool, resolved: 'https://registry.example/tool-1.2.3.tgz' } });
  expect(checkLock(plantTree({ 'package.json': manifest, 'package-lock.json': lock })).problems).toEqual([
    expect.stringContaining('address'),
  ]);
});

test('a package that could be anything is refused', () => {
  const lock = locked({ 'node_modules/tool': { version: '1.2.3' } });
  expect(checkLock(plantTree({ 'package.json': manifest, 'package-lock.json': lock })).problems).toEqual([
    expect.stringContaining('integrity'),
  ]);
});

test.each(['^1.2.3', '~1.2.3', '1.2', '*', 'latest', 'file:../tool'])('the version %s is not a pin', (version) => {
  const files = { 'package.json': manifest, 'web/package.json': { devDependencies: { tool: version } }, 'package-lock.json': locked({}) };
  expect(checkLock(plantTree(files)).problems).toEqual([expect.stringContaining(`web/package.json: tool is pinned to '${version}'`)]);
});

test('a dependency that was added without the lock is named', () => {
  const files = {
    'package.json': { dependencies: { tool: '1.2.3', extra: '1.0.0' } },
    'package-lock.json': locked({ 'node_modules/tool': tool }),
  };
  expect(checkLock(plantTree(files)).problems).toEqual([expect.stringContaining('disagree')]);
});
