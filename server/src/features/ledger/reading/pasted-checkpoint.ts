import { type Checkpoint, checkpointText, MalformedError, parseCheckpoint, type TreeHead } from '@pergamin/ledger';

/** What somebody kept of a register. `signed`: with its signatures, where these are there and can be read. */
export interface PastedCheckpoint {
  readonly head: TreeHead;
  readonly signed: Checkpoint | undefined;
}

const maxLength = 256 * 1024;

/**
 * The checkpoints in a text, each once: of a file of their own, of a receipt or of a mail, also quoted, with other line ends, empty lines between, or with
 * long lines wrapped. Mails of before had the three lines in one, without signatures (`ORIGIN · SIZE · ROOT`).
 */
export const findPasted = (text: string): readonly PastedCheckpoint[] => {
  const lines = text
    .slice(0, maxLength)
    .split(/\r\n|[\r\n]/)
    .map((line) => line.replace(/^[\s>]+/, '').trimEnd())
    .filter((line) => line !== '');
  const found = lines.flatMap((line, at): readonly PastedCheckpoint[] => {
    const head = headOf(lines.slice(at, at + 3));
    if (head !== undefined) return [{ head, signed: findSigned(head, lines.slice(at + 3)) }];
    const alone = headOf(line.split(' · '));
    return alone === undefined ? [] : [{ head: alone, signed: undefined }];
  });
  return found.filter(({ head }, place) => found.findIndex((other) => checkpointText(other.head) === checkpointText(head)) === place);
};

const headOf = ([origin = '', size = '', root = '', ...more]: readonly string[]): TreeHead | undefined => {
  if (origin === '' || more.length > 0 || !/^(?:0|[1-9]\d{0,14})$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return undefined;
  // Programs for mail put the address behind what looks like a link.
  const link = origin.endsWith('>') ? origin.lastIndexOf('<') : -1;
  return { origin: link === -1 ? origin : origin.slice(0, link).trimEnd(), size: Number(size), root: Buffer.from(root, 'base64') };
};

/** Undefined without a signature that can be read. */
const findSigned = (head: TreeHead, following: readonly string[]): Checkpoint | undefined => {
  try {
    return parseCheckpoint(`${checkpointText(head)}\n${signatureLines(following).join('')}`);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

/** A signature ends with the padding of its base64: a line without it was wrapped, and goes on in the next. */
const signatureLines = (lines: readonly string[]): readonly string[] => {
  const signatures: string[] = [];
  let open = '';
  for (const line of lines) {
    if (open === '' && !line.startsWith('— ')) break;
    open = open === '' || / \S+$/.test(open.slice(2)) ? `${open}${line}` : `${open} ${line}`;
    if (!open.endsWith('=')) continue;
    signatures.push(`${open}\n`);
    open = '';
  }
  return signatures;
};
