/**
 * Prepares what our code needs before it can run: the pinned packages, the pinned Node, the built web client, a browser for tests.
 * Runs on the newcomer's own Node (18 or later) and imports nothing from node_modules, because there may be none yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exclusively } from './exclusive.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const stampFile = path.join(root, 'node_modules', '.pergamin-install');
const cacheFolder = path.join(root, '.cache');

/** A sentence for the person at the keyboard; shown without a stack. */
export class SetupError extends Error {}

/**
 * Brings node_modules to what package-lock.json says; does nothing when it already is.
 * Two callers at once: the second waits and finds it done. `all` (with development tools) satisfies `prod`, and is not taken back to it.
 *
 * @param {'prod' | 'all'} asked
 */
export async function ensureInstalled(asked) {
  if (isInstalled(asked)) return;
  await inTurn('install', async () => {
    if (isInstalled(asked)) return;
    const mode = asked === 'all' || hasTools() ? 'all' : 'prod';
    tell(mode === 'all' ? 'Installing the pinned packages and development tools …' : 'Installing the pinned packages …');
    const startedAt = Date.now();
    // `npm ci` removes node_modules first. An existing installation is only updated: that is faster, and a server that runs from this folder
    // keeps its modules.
    const isStanding = fs.existsSync(path.join(root, 'node_modules/.package-lock.json'));
    if (!isStanding || !(await runNpm(['install', '--no-save'], mode))) {
      if (!(await runNpm(['ci'], mode))) throw new SetupError('The packages could not be installed; the messages above say why.');
    }
    fs.writeFileSync(stampFile, `${JSON.stringify({ hash: lockHash(), mode })}\n`);
    tell(`Installed in ${seconds(Date.now() - startedAt)}.`);
  });
}

/**
 * The Node that the product is tested with. It comes with the packages; where it cannot run (musl, macOS) the launching one serves,
 * if it can run TypeScript by itself.
 */
export function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const binary = path.join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', system === 'win' ? 'node.exe' : 'node');
  if (fs.existsSync(binary)) {
    if (fs.realpathSync(process.execPath) === fs.realpathSync(binary)) return binary;
    if (spawnSync(binary, ['--version'], { stdio: 'ignore' }).status === 0) return binary;
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new SetupError(
    `No Node here can run Pergamin: the pinned one does not start on ${process.platform}-${process.arch}, and ${process.version} is too old. ` +
      'Install Node 24 and run this again.',
  );
}

/** Builds web/dist unless it was built from exactly these sources. */
export async function ensureWebBuilt() {
  const stamp = path.join(root, 'web/dist/.vite/built-from');
  const isBuilt = (hash) => readText(stamp)?.trim() === hash;
  const sources = webSourcesHash();
  if (isBuilt(sources)) return;
  await inTurn('web-build', async () => {
    if (isBuilt(sources)) return;
    tell('Building the web client …');
    const startedAt = Date.now();
    const vite = path.join(root, 'node_modules/vite/bin/vite.js');
    const { code } = await run(pinnedNode(), [vite, 'build', '--logLevel', 'warn'], {
      cwd: path.join(root, 'web'),
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (code !== 0) throw new SetupError('The web client could not be built; the messages above say why.');
    fs.mkdirSync(path.dirname(stamp), { recursive: true });
    fs.writeFileSync(stamp, `${sources}\n`);
    tell(`Built in ${seconds(Date.now() - startedAt)}.`);
  });
}

const chromiumPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Chromium without windows of its own, which needs less CPU time for the same tests; it shows no PDF files. */
const headlessShellPath = '/usr/bin/chromium-headless-shell';

const askedChromium = process.env.CHROMIUM_PATH;

/**
 * The browser that tests drive: with windows the Chromium that customers have, without them Debian's headless shell where it is or can be
 * installed. On Debian as root it is installed when missing; elsewhere the person is told what to do.
 *
 * @returns {string} its path; also put in CHROMIUM_PATH for child processes, and that of a headless shell beside it in HEADLESS_SHELL_PATH
 */
export function ensureChromium({ withWindows }) {
  if (askedChromium && !fs.existsSync(askedChromium))
    throw new SetupError(`CHROMIUM_PATH names ${askedChromium}, and there is no such file.`);
  const preferred = withWindows ? chromiumPaths : [headlessShellPath];
  const present = (paths) => paths.find((candidate) => fs.existsSync(candidate));
  if (!askedChromium && !present(preferred)) installFromDebian([withWindows ? 'chromium' : 'chromium-headless-shell', 'fonts-dejavu-core']);
  const found = askedChromium || present([...preferred, ...chromiumPaths]);
  if (!found) throw new SetupError('The tests need Chromium: install it, or put the path of a Chromium or Chrome into CHROMIUM_PATH.');
  process.env.CHROMIUM_PATH = found;
  if (!askedChromium && fs.existsSync(headlessShellPath)) process.env.HEADLESS_SHELL_PATH = headlessShellPath;
  return found;
}

/** Best effort: tests that need a real proxy in front say that they were skipped where there is none. */
export function ensureNginx() {
  if (!fs.existsSync('/usr/sbin/nginx')) installFromDebian(['nginx-light']);
}

/** Best effort, and as root only. */
function installFromDebian(packages) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return;
  tell(`Installing ${packages[0]} for the tests …`);
  // Only the programs: nginx as a service would take port 80.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]])
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 2, 2], env });
}

/**
 * Runs a command to its end, its output going to ours or to `onOutput`; it does not outlive an orderly end of ours.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string) => void }} [options]
 * @returns {Promise<{ code: number }>} 128 + n when a signal ended it
 */
export function run(command, args, { onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const outputs = onOutput === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', outputs, outputs], ...options });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => onOutput?.(text));
    const end = () => child.kill();
    process.once('exit', end);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', end);
      resolve({ code: code ?? 128 + (os.constants.signals[signal] ?? 0) });
    });
  });
}

/**
 * Makes being asked to stop an orderly end, at which what was started is stopped too.
 *
 * @returns {() => void} undoes it
 */
export function endOnSignals() {
  const end = (signal) => process.exit(128 + os.constants.signals[signal]);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}

/** Ends the process with a sentence for expected failures, with a stack for ours. */
export function fail(error) {
  process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`);
  process.exit(1);
}

/** @param {number} ms */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function tell(sentence) {
  process.stderr.write(`${sentence}\n`);
}

async function inTurn(name, work) {
  const onWait = () => tell(`Another process is busy with the same (${name}); waiting for it …`);
  try {
    makeCacheFolder();
    await exclusively({ folder: cacheFolder, name, onWait }, work);
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
    throw new SetupError(
      `This user may not write into ${root} (${error.path ?? error.code}), and something there is missing or out of date. Run this once as the user who installed it.`,
    );
  }
}

// Root working in an ordinary user's clone leaves nothing there that would lock the owner out.
function makeCacheFolder() {
  if (fs.existsSync(cacheFolder)) return;
  fs.mkdirSync(cacheFolder, { recursive: true });
  const { uid, gid } = fs.statSync(root);
  if (process.getuid?.() === 0 && uid !== 0) fs.chownSync(cacheFolder, uid, gid);
}

function isInstalled(mode) {
  const stamp = readStamp();
  return stamp?.hash === lockHash() && (stamp.mode === 'all' || stamp.mode === mode);
}

// Also tells an installation that was made by hand, without our stamp.
function hasTools() {
  return fs.existsSync(path.join(root, 'node_modules/typescript'));
}

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function lockHash() {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
}

/** @returns {Promise<boolean>} whether it went well */
async function runNpm(command, mode) {
  // The Node that runs npm is the newcomer's own: the pinned one, which `ci` is about to remove, cannot be relied on.
  const npm = process.env.npm_execpath;
  const throughNpm = npm !== undefined && /npm(-cli)?\.(c?js)$/.test(npm) && fs.existsSync(npm);
  const [program, first] = throughNpm ? [process.env.npm_node_execpath ?? process.execPath, [npm]] : ['npm', []];
  const settings = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-progress', '--loglevel=error'];
  const args = [...first, ...command, ...settings, mode === 'all' ? '--include=dev' : '--omit=dev'];
  const { code } = await run(program, args, {
    stdio: ['ignore', 2, 2],
    // An inherited NODE_ENV=production would drop the development tools.
    env: { ...process.env, NODE_ENV: '' },
    shell: process.platform === 'win32' && !throughNpm,
  });
  return code === 0;
}

function webSourcesHash() {
  const hash = createHash('sha256');
  const places = ['web/src', 'web/public', 'contract/src', 'ledger/src', 'design', 'languages'];
  const files = [
    ...places.flatMap((place) => filesBelow(place)),
    'web/index.html',
    'web/vite.config.ts',
    'web/offline-page.ts',
    'web/package.json',
    'package-lock.json',
  ];
  for (const file of files) {
    const content = readBytes(path.join(root, file));
    if (content) hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  let entries;
  try {
    entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : filesBelow(name);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [name];
    });
}

function readText(file) {
  return readBytes(file)?.toString('utf8');
}

function readBytes(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}
