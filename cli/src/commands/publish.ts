import { basename } from 'node:path';
import { calls, documentType } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { openPdf, readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
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
  usage: `pergamin publish FILE.pdf --type PRIVATE --cif CIF [--cif2 CIF] [--meta KEY=VALUE]…
pergamin publish FILE.pdf --type GROUP --group GROUP_ID [--meta KEY=VALUE]…
pergamin publish FILE.pdf --type PUBLIC [--meta KEY=VALUE]…
    Publishes one document. --unique-name NAME makes it repeatable; --name NAME is what clients see (the file's name);
    --sha256 HEX must be the file's checksum; --added-by WHO is kept for the organisation. --replaces ID makes it the new version of
    the document with this id, which had the same recipients and is obsolete from then on.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, options);
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError('publish takes one file');
    const type = safeParse(documentType, values.type);
    if (!type.success) throw new UsageError('--type must be PRIVATE, GROUP or PUBLIC');
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
  },
};
