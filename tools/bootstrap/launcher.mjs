import { memoryEnvironment, memoryFlags } from './memory.mjs';

/**
 * The text of `bin/pergamin` in a package: `serve` is the portal, in this very process so that signals reach it; everything else is the
 * command of that name.
 *
 * @param {string} system like linux-x64
 */
export function launcher(system) {
  const settings = Object.entries({ NODE_ENV: 'production', ...memoryEnvironment }).map(([name, value]) => `${name}=\${${name}:-${value}}`);
  return `#!/bin/sh
# pergamin serve: the portal. Everything else is a command: pergamin --help.
set -eu
home=$(dirname "$(dirname "$(readlink -f "$0")")")
node="$home/node_modules/node-${system}/bin/node"
if [ "\${1-}" = serve ]; then
  shift
  exec env ${settings.join(' ')} "$node" ${memoryFlags.join(' ')} "$home/tools/bootstrap/serve.mjs" "$@"
fi
exec "$node" "$home/cli/src/main.ts" "$@"
`;
}
