import { createCipheriv } from 'node:crypto';
import type { BatchPublication } from '@pergamin/contract';
import { stream, writePdf } from '../server/src/testing/simple-pdf.ts';

/** Of a document. */
export const fileBytes = 60_000;
export const recipients = 1_000;
/** Documents of a part, and parts at once: as the command line sends them. */
export const perPart = 125;
export const partsAtOnce = 4;

const noiseBytes = 59_000;
const content = 'BT /F 12 Tf 50 700 Td (Wyciag z rachunku, saldo koncowe 1 234,56 PLN) Tj ET';

const aStatement = (): Buffer => {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(noiseBytes)).toString('latin1');
  const pdf = Buffer.from(
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[5 0 R]/Count 1/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R>>>>>>',
      stream(content),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Page/Parent 2 0 R/Contents 3 0 R>>',
      // A picture that nothing draws: bytes that cannot be packed.
      stream(`NUMBER          ${noise}`, '/Type/XObject/Subtype/Image'),
    ]),
  );
  // A comment fills it up.
  const end = pdf.lastIndexOf('trailer');
  return Buffer.concat([pdf.subarray(0, end), Buffer.from(`%${'.'.repeat(fileBytes - pdf.length - 2)}\n`), pdf.subarray(end)]);
};

const standard = aStatement();
const numberAt = standard.indexOf('NUMBER');

/** The PDF of this number: the same pages, other bytes. */
export const pdfOf = (nth: number): Buffer => {
  const pdf = Buffer.from(standard);
  pdf.write(String(nth).padStart(16, '0'), numberAt, 'latin1');
  return pdf;
};

export const cifOf = (nth: number): string => `bench-${nth % recipients}`;

export const descriptionOf = (name: string, nth: number): BatchPublication => ({
  type: 'PRIVATE',
  cif: cifOf(nth),
  fileName: `Wyciag ${nth}.pdf`,
  uniqueName: `${name}-${nth}`,
  metadata: { REG_DATE: '2026-11-20', ACCOUNT_NUMBER: String(nth).padStart(26, '7') },
});
