import { basename } from 'node:path';
import { calls, documentType } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { openPdf, readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { flagSentences } from '../flag-sentences.ts';
import { readMetadata } from '../metadata.ts';

const options = {
  type: { type: 'string' },
  cif: { type: 'string' },
  cif2: { type: 'string' },
  group: { type: 'string' },
  name: { type: 'string' },
  'unique-name': { type: 'string' },
  replaces: { type: 'string' },
  sha256: { type: 'string' },
  'added-by': { type: 'string' },
  meta: { type: 'string', multiple: true },
} as const;

export const publish = {
  usage: `pergamin publish FILE.pdf --type PRIVATE --cif CIF [--cif2 CIF] [FLAGS]
pergamin publish FILE.pdf --type GROUP --group GROUP_ID [FLAGS]
pergamin publish FILE.pdf --type PUBLIC [FLAGS]
    Publishes one document, and says what customers may not see as you meant it, a line each.
    --type TYPE         PRIVATE (a customer's), GROUP (of a group of customers) or PUBLIC (everybody's)
    --cif CIF           the customer number of its recipient; with PRIVATE only
    --cif2 CIF          the customer number of a second recipient; with PRIVATE only
    --group GROUP_ID    the group of its recipients; with GROUP only
    --name NAME         the name that clients see; left out, that of the file
    --unique-name NAME  your own id of the document: the command can then be repeated and publishes once
    --replaces ID       publishes a new version of the document ID, which had the same recipients and is OBSOLETE from then on
    --meta KEY=VALUE    a value of the metadata, as --meta REG_DATE=2026-11-18; may be given several times
    --sha256 HEX        the checksum that the file must have
    --added-by WHO      who added it; kept for the organisation`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: publish.usage });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError(`publish takes one file\n\n${publish.usage}`);
    const type = safeParse(documentType, values.type);
    if (!type.success) throw new UsageError(`--type must be PRIVATE, GROUP or PUBLIC\n\n${publish.usage}`);
    const file = await openPdf(path);
    const description = {
      type: type.data,
      fileName: values.name ?? basename(path),
      uniqueName: values['unique-name'],
      replaces: values.replaces,
      cif: values.cif,
      cif2: values.cif2,
      groupId: values.group,
      sha256: values.sha256,
      addedBy: values['added-by'],
      metadata: await readMetadata(connection, values.meta ?? []),
    };
    const form = new FormData();
    form.set('description', JSON.stringify(description));
    form.set('file', file, basename(path));
    const document = await connection.call(calls.publishDocument, { form });
    process.stdout.write(
      `${document.repeated ? 'already published' : 'published'} ${document.id}\n  SHA-256 ${document.sha256}\n  ${document.pageCount} pages, ${document.size} bytes\n`,
    );
    for (const flag of document.flags) process.stdout.write(`  ${flag}: ${flagSentences[flag]}\n`);
  },
};
