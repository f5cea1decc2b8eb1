import { aPdf } from './pdfs.ts';
import { signDetached } from './signed-data.ts';

type SignWish = Omit<Parameters<typeof signDetached>[0], 'content'>;

interface SealWish extends SignWish {
  /** Left out: one without seals. */
  readonly pdf?: Uint8Array;
  /** Of seals that it has. */
  readonly fields?: readonly number[];
  /** Entry of the signed dictionary. */
  readonly writtenOn?: Date | null;
  readonly format?: string;
  /** Changes what is about to be written into the gap. */
  readonly change?: (cms: Uint8Array) => Uint8Array;
  /** Changes the four numbers before they are signed. */
  readonly range?: (numbers: readonly number[]) => readonly number[];
}

const gapDigits = 16_384;
const text = (pdf: Uint8Array): string => Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1');

/** How many object numbers the last table has. */
const sizeOf = (pdf: Uint8Array): number => Number(/.*\/Size (\d+)/s.exec(text(pdf))?.[1] ?? 0);

/** Appends an incremental update that writes these objects, as editors do. */
export const appendUpdate = (pdf: Uint8Array, objects: Readonly<Record<number, string>>): Buffer => {
  const before = text(pdf);
  const parts: string[] = [];
  const table: string[] = [];
  let at = before.length;
  for (const [number, object] of Object.entries(objects)) {
    table.push(`${number} 1\n${String(at).padStart(10, '0')} 00000 n `);
    const part = `${number} 0 obj ${object} endobj\n`;
    parts.push(part);
    at += part.length;
  }
  const previous = /.*startxref\s+(\d+)/s.exec(before)?.[1] ?? '0';
  const size = Math.max(sizeOf(pdf), ...Object.keys(objects).map((number) => Number(number) + 1));
  const end = ['xref', ...table, `trailer<</Root 1 0 R/Size ${size}/Prev ${previous}>>`, 'startxref', String(at), '%%EOF', ''];
  return Buffer.from(`${before}${parts.join('')}${end.join('\n')}`, 'latin1');
};

export const catalogWith = (fields: readonly number[], more = ''): string =>
  `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields.map((field) => `${field} 0 R`).join(' ')}]/SigFlags 3>>${more}>>`;

const dateOf = (date: Date): string => `D:${date.toISOString().replaceAll(/[-T:]|\..*/g, '')}Z`;

/** The field of the next seal of a document. */
export const nextField = (pdf: Uint8Array): number => sizeOf(pdf);

/** Seals a document as publishers' systems do (PAdES): a detached CMS signature in an incremental update. */
export const sealPdf = async ({
  pdf = aPdf(),
  fields = [],
  writtenOn = new Date(),
  format = 'ETSI.CAdES.detached',
  ...wish
}: SealWish): Promise<Buffer> => {
  const field = nextField(pdf);
  const kind = format === 'ETSI.RFC3161' ? 'DocTimeStamp' : 'Sig';
  const date = writtenOn === null ? '' : `/M(${dateOf(writtenOn)})`;
  const numbers = `[0 ${'0'.repeat(10)} ${'0'.repeat(10)} ${'0'.repeat(10)}]`;
  const signature = `<</Type/${kind}/Filter/Adobe.PPKLite/SubFilter/${format}${date}/ByteRange ${numbers}/Contents <${'0'.repeat(gapDigits)}>>>`;
  const prepared = appendUpdate(pdf, {
    1: catalogWith([...fields, field]),
    [field]: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Seal ${field})/Rect[0 0 0 0]/V ${field + 1} 0 R>>`,
    [field + 1]: signature,
  });
  const gapStart = prepared.lastIndexOf('/Contents <') + '/Contents '.length;
  const gapEnd = gapStart + gapDigits + 2;
  const given = [0, gapStart, gapEnd, prepared.length - gapEnd];
  const written = (wish.range?.(given) ?? given).map((number, place) => (place === 0 ? String(number) : String(number).padStart(10, '0')));
  prepared.write(`[${written.join(' ')}]`, prepared.lastIndexOf(numbers), 'latin1');
  const content = Buffer.concat([prepared.subarray(0, gapStart), prepared.subarray(gapEnd)]);
  const cms = await signDetached({ ...wish, content });
  prepared.write(Buffer.from(wish.change?.(cms) ?? cms).toString('hex'), gapStart + 1, 'latin1');
  return prepared;
};
