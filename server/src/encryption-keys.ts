import { KeyUnavailable, openKeyCareHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin encryption` runs: tells of the key file of this environment, backs it up and rotates it. */

const [, , verb, target = ''] = process.argv;

type KeyCare = Awaited<ReturnType<typeof openKeyCareHere>>;

const linesOf = ({ encryption, keyFile, versions, backedUpVersion, clientKeys }: Awaited<ReturnType<KeyCare['status']>>): string[] => [
  `ENCRYPTION=${encryption}`,
  `key file: ${keyFile}, ${versions.length === 0 ? 'not there' : `versions ${versions.join(', ')}`}`,
  `backed up: ${backedUpVersion === null ? 'never' : `up to version ${backedUpVersion}`}`,
  ...clientKeys.map(({ version, keys }) => `clients’ keys wrapped by version ${version}: ${keys}`),
];

const run = async (care: KeyCare): Promise<readonly string[]> => {
  if (verb === 'status') return linesOf(await care.status());
  if (verb === 'backup')
    return [
      `wrote version ${await care.backup(target)} of the key to ${target}`,
      'It is not encrypted: with it and copies of database and objects every document can be read. Keep it apart from both.',
    ];
  const { version, keys } = await care.rotate(target);
  return [`the key has version ${version} now, backed up to ${target}; ${keys} clients’ keys were wrapped by it`];
};

try {
  const care = await openKeyCareHere(process.env);
  try {
    process.stdout.write(`${(await run(care)).join('\n')}\n`);
  } finally {
    await care.close();
  }
} catch (error) {
  if (!(error instanceof KeyUnavailable) && !isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
