import { execFile } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { calls, requestOf, type Call, type CallInput, type ClientRecord } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';

const run = promisify(execFile);
const cli = path.join(import.meta.dirname, '../cli/bin/pergamin.mjs');

const environmentOf = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: journeys run against a product that global-setup.ts starts`);
  return value;
};

const portalUrl = (): string => environmentOf('PERGAMIN_URL');

export interface Person {
  readonly personalId: string;
  readonly cif: string;
  readonly password: string;
  readonly fullName: string;
}

interface PersonPlan {
  readonly firstName?: string;
  readonly email?: string;
  /** Signs in at an outside service, and has no password here. */
  readonly managed?: boolean;
}

/** A person whom no other journey knows, made through the publisher's call; the first name is for journeys with two of them. */
export const createPerson = async ({ firstName = 'Ewa', email, managed = false }: PersonPlan = {}): Promise<Person> => {
  const number = String(randomInt(10_000_000, 99_999_999));
  const record: ClientRecord = {
    personalId: `e2e-${number}`,
    cif: number,
    firstName,
    lastName: 'Próbna',
    ...(managed ? { managed } : { initialPassword: `Haslo-${number}` }),
    ...(email === undefined ? {} : { email }),
  };
  await callAsPublisher(calls.upsertClients, { body: { items: [record] } });
  return { personalId: record.personalId, cif: number, password: managed ? '' : `Haslo-${number}`, fullName: `${firstName} Próbna` };
};

/** Asks with the key of the product under test; throws unless it is answered well. */
const callAsPublisher = async <C extends Call>(call: C, input: CallInput<C>): Promise<Response> => {
  const { path: url, init } = requestOf(call, input);
  const key = (await readFile(path.join(environmentOf('PERGAMIN_DATA_DIR'), 'publisher.key'), 'utf8')).trim();
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${key}`);
  const answer = await fetch(new URL(url, portalUrl()), { ...init, headers });
  if (!answer.ok) throw new Error(`${call.name} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
};

const papers = new Map<number, Promise<Uint8Array>>();

/** A real paper of the demonstration with this many pages at least, as bytes; made once. */
export const aPaper = (minPages: number): Promise<Uint8Array> => {
  const paper = papers.get(minPages) ?? findPaper(minPages);
  papers.set(minPages, paper);
  return paper;
};

const findPaper = async (minPages: number): Promise<Uint8Array> => {
  for (const paper of demoDocuments({ seed: 7, today: new Date('2026-11-20T12:00:00Z') })) {
    const bytes = await paper.pdf();
    if (countPages(bytes) >= minPages) return bytes;
  }
  throw new Error(`no demonstration paper has ${minPages} pages`);
};

/** A paper of as many pages as wished, each with its number and nothing else: quickly drawn. */
export const aLongPaper = (pages: number): Uint8Array => {
  const kids = Array.from({ length: pages }, (_, index) => 4 + 2 * index);
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${pages} /MediaBox [0 0 300 200] /Resources <</Font <</F 3 0 R>>>>>>`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...kids.flatMap((kid, index) => {
      const content = `BT /F 24 Tf 40 120 Td (${index + 1}) Tj ET`;
      return [`<</Type /Page /Parent 2 0 R /Contents ${kid + 1} 0 R>>`, `<</Length ${content.length}>>\nstream\n${content}\nendstream`];
    }),
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${file}${end}trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
};

/** `/Type /Page` objects; good enough for papers of our own making, which are not compressed into object streams. */
const countPages = (bytes: Uint8Array): number =>
  (
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type\s*\/Page\b(?!s)/g) ?? []
  ).length;

export interface Published {
  readonly id: string;
  readonly sha256: string;
}

interface PublicationPlan {
  readonly cif: string;
  readonly name: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly uniqueName?: string;
  readonly replaces?: string;
}

type PublicPlan = Omit<PublicationPlan, 'cif'> & { readonly cif?: undefined };

/** Publishes by the call that the command line makes, without a program being started for it; to everybody when no `cif` is named. */
export const publish = async (bytes: Uint8Array, { cif, name, meta, ...options }: PublicationPlan | PublicPlan): Promise<Published> => {
  const type = cif === undefined ? 'PUBLIC' : 'PRIVATE';
  const form = new FormData();
  form.set('description', JSON.stringify({ type, cif, fileName: name, metadata: meta, ...options }));
  form.set('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'agreement.pdf');
  const answer = await callAsPublisher(calls.publishDocument, { form });
  return calls.publishDocument.answer.parse(await answer.json());
};

export const changeState = async (id: string, state: 'CANCELLED' | 'DELETED'): Promise<void> => {
  await callAsPublisher(calls.changeDocumentState, { params: { id }, body: { state, reason: 'A journey' } });
};

/** Publishes with the command line, as an organisation's system would. */
export const publishWithCommand = async (bytes: Uint8Array, options: PublicationPlan): Promise<Published> => {
  const meta = Object.entries(options.meta).flatMap(([key, value]) => ['--meta', `${key}=${value}`]);
  const uniqueName = options.uniqueName === undefined ? [] : ['--unique-name', options.uniqueName];
  const replaces = options.replaces === undefined ? [] : ['--replaces', options.replaces];
  const words = ['--type', 'PRIVATE', '--cif', options.cif, '--name', options.name, ...uniqueName, ...replaces, ...meta];
  return publishFile(bytes, (file) => ['publish', file, ...words]);
};

/** Publishes a version of the terms; at once, or from a moment on. */
export const publishStatute = async (
  bytes: Uint8Array,
  { version, effectiveFrom, changes }: { version: string; effectiveFrom?: Date; changes?: string },
): Promise<void> => {
  const form = new FormData();
  form.set('description', JSON.stringify({ version, effectiveFrom: effectiveFrom?.getTime(), changes }));
  form.set('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'statute.pdf');
  await callAsPublisher(calls.publishStatute, { form });
};

const publishFile = async (bytes: Uint8Array, wordsFor: (file: string) => string[]): Promise<Published> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pergamin-paper-'));
  try {
    const file = path.join(folder, 'agreement.pdf');
    await writeFile(file, bytes);
    const { stdout } = await run(process.execPath, [cli, ...wordsFor(file)], {
      env: { ...process.env, PERGAMIN_URL: portalUrl(), DATA_DIR: environmentOf('PERGAMIN_DATA_DIR') },
    });
    const id = /published (\S+)/.exec(stdout)?.[1];
    if (id === undefined) throw new Error(`unexpected answer of the command: ${stdout}`);
    return { id, sha256: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
