/**
 * `npm run package`: everything that the portal runs from, its Node and its PostgreSQL among it, as one archive in `dist/` that starts
 * without a network, npm or a build. The same commit and the same installation give the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ensureInstalled, ensureWebBuilt, fail, pinnedNode, root, SetupError } from './bootstrap.mjs';
import { launcher } from './launcher.mjs';
import { isNeededToRun, packedPackages, packedSources } from './packed.mjs';

const system = `${process.platform}-${process.arch}`;
const { version } = readJson('package.json');
const name = `pergamin-${version}-${system}`;
const archive = path.join(root, 'dist', `${name}.tar.gz`);
const stages = path.join(root, 'dist/stage');
const stage = path.join(stages, name);

try {
  if (process.platform !== 'linux')
    throw new SetupError(`Packages are made on Linux: the embedded PostgreSQL does not run on ${process.platform}.`);
  await ensureInstalled('all');
  await ensureWebBuilt();
  fs.rmSync(stages, { recursive: true, force: true });
  copySources();
  copyPackages();
  fs.mkdirSync(path.join(stage, 'bin'));
  fs.writeFileSync(path.join(stage, 'bin/pergamin'), launcher(system), { mode: 0o755 });
  linkLibraries();
  writeArchive();
  fs.rmSync(stages, { recursive: true });
} catch (error) {
  fail(error);
}

function copySources() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new SetupError('Packages are made in a clone: `git ls-files` says what belongs to the product.');
  for (const file of packedSources(stdout.split('\0'))) copy(file);
  copy('web/dist');
}

function copyPackages() {
  const { packages } = readJson('package-lock.json');
  const { folders, links } = packedPackages(packages, { system, isInstalled: (folder) => fs.existsSync(path.join(root, folder)) });
  for (const folder of folders) copy(folder, (file) => isNeededToRun(path.relative(path.join(root, folder), file)));
  for (const [link, folder] of links) {
    const to = path.join(stage, link);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    // Node strips types only outside node_modules, so a workspace stays where it is.
    fs.symlinkSync(path.relative(path.dirname(to), path.join(stage, folder)), to);
  }
}

function copy(item, filter = () => true) {
  fs.cpSync(path.join(root, item), path.join(stage, item), { recursive: true, verbatimSymlinks: true, filter });
}

/** By the portal's own code, in the copy: whether that is complete shows here, and not at the customer's. */
function linkLibraries() {
  const binaries = path.join(stage, 'server/src/platform/database/embedded-postgres/binaries.ts');
  const program = `const { completePackagedBinaries } = await import(${JSON.stringify(binaries)}); await completePackagedBinaries();`;
  const { status } = spawnSync(pinnedNode(), ['--input-type=module', '--eval', program], {
    cwd: stage,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new SetupError('The libraries of the embedded PostgreSQL could not be linked in the package.');
}

function writeArchive() {
  const { stdout: committedAt } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  const alike = ['--sort=name', `--mtime=@${committedAt.trim()}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  // Without -n, gzip writes the time into its header.
  const options = [...alike, '--use-compress-program=gzip -n -9', '--directory', stages];
  const { status } = spawnSync('tar', ['--create', '--file', archive, ...options, name], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new SetupError('tar could not write the package; the messages above say why.');
  const hash = createHash('sha256').update(fs.readFileSync(archive)).digest('hex');
  fs.writeFileSync(`${archive}.sha256`, `${hash}  ${path.basename(archive)}\n`);
  process.stdout.write(`${path.relative(root, archive)}  ${megabytes(fs.statSync(archive).size)}, unpacked ${megabytes(sizeOf(stage))}\n`);
}

function sizeOf(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, entry) => (entry.isFile() ? sum + fs.statSync(path.join(entry.parentPath, entry.name)).size : sum), 0);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
}
