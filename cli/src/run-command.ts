import { audit } from './commands/audit.ts';
import { backup, restore, verifyBackup } from './commands/backup.ts';
import { batches } from './commands/batches.ts';
import { categories } from './commands/categories.ts';
import { clients } from './commands/clients.ts';
import { database } from './commands/database.ts';
import { ledger } from './commands/ledger.ts';
import { mail } from './commands/mail.ts';
import { demo } from './commands/demo.ts';
import { config } from './commands/config.ts';
import { dictionaries } from './commands/dictionaries.ts';
import { groups } from './commands/groups.ts';
import { metadata } from './commands/metadata.ts';
import { encryption } from './commands/encryption.ts';
import { keys } from './commands/keys.ts';
import { documents } from './commands/documents.ts';
import { publish } from './commands/publish.ts';
import { received } from './commands/received.ts';
import { relocate } from './commands/relocate.ts';
import { report } from './commands/report.ts';
import { settings } from './commands/settings.ts';
import { status } from './commands/status.ts';
import { statute } from './commands/statute.ts';
import { verify } from './commands/verify.ts';
import { witness } from './commands/witness.ts';
import { webhooks } from './commands/webhooks.ts';
import { connect } from './connection.ts';
import { RefusedError, UsageError } from './errors.ts';
import { fileProblem } from './file-problem.ts';

const commands: Record<string, { readonly usage: string; run(connection: ReturnType<typeof connect>, args: string[]): Promise<void> }> = {
  publish,
  batches,
  documents,
  clients,
  groups,
  statute,
  categories,
  dictionaries,
  metadata,
  config,
  received,
  report,
  webhooks,
  keys,
  encryption,
  demo,
  database,
  ledger,
  mail,
  settings,
  backup,
  restore,
  'verify-backup': verifyBackup,
  relocate,
  audit,
  status,
  verify,
  witness,
};

const usage = `pergamin: the organisation's side of the portal, over HTTP

${Object.values(commands)
  .map((command) => command.usage)
  .join('\n\n')}

PERGAMIN_URL   address of the portal; left out: PUBLIC_URL, as the portal itself has it, or http://localhost:PORT (8080)
PERGAMIN_KEY   a publisher's key; left out: the one in DATA_DIR/publisher.key (./data)
`;

const run = async ([name, ...args]: readonly string[]): Promise<number> => {
  if (name === undefined || name === 'help' || name === '--help') {
    process.stdout.write(usage);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command ${name}; see pergamin help`);
  if (args.includes('--help')) {
    process.stdout.write(`${command.usage}\n`);
    return 0;
  }
  await command.run(connect(process.env), args);
  return Number(process.exitCode ?? 0);
};

const refusalOfFile = (error: unknown): RefusedError | undefined => {
  const problem = fileProblem(error);
  return problem === undefined ? undefined : new RefusedError(problem.sentence, { cause: error });
};

/** Runs the words of one command line; gives the exit code. Throws what no command expects. */
export const runCommand = async (words: readonly string[]): Promise<number> => {
  try {
    return await run(words);
  } catch (error) {
    const known = error instanceof UsageError || error instanceof RefusedError ? error : refusalOfFile(error);
    if (known === undefined) throw error;
    process.stderr.write(`pergamin: ${known.message}\n`);
    return known.exitCode;
  }
};
