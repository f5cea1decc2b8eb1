import type { LanguageCode } from '@pergamin/contract';
import type { MailTemplate, NoticeTemplate } from './mail.ts';

type Sentences = Readonly<Record<string, string>>;
/** A value of several lines keeps them in the text of a mail; elsewhere they stand on one line. */
type Values = Readonly<Record<string, string | readonly string[]>>;

export interface Written {
  readonly subject: string;
  readonly text: string;
}

/** Replaces line ends above all: a name must not begin a header, or a line that looks like ours. */
export const onOneLine = (value: string): string => value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const sentence = (sentences: Sentences, key: string): string => {
  const found = sentences[key];
  if (found === undefined) throw new Error(`no language has ${key}`);
  return found;
};

const betweenLines = ' · ';

/** One sentence with values filled in. A placeholder inside a value is not filled in again. */
export const fillSentence = (
  sentences: Sentences,
  { key, values, between = betweenLines }: { readonly key: string; readonly values: Values; readonly between?: string },
): string => {
  const known: Values = { organisation: sentence(sentences, 'brand.organisation'), ...values };
  return sentence(sentences, key).replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    if (value === undefined) throw new Error(`${key} needs the value ${name}`);
    return typeof value === 'string' ? onOneLine(value) : value.map(onOneLine).join(between);
  });
};

/** The sentences of a template with values filled in. */
export const writeMail = (
  sentences: Sentences,
  { template, values }: { template: MailTemplate | NoticeTemplate; values: Values },
): Written => ({
  subject: onOneLine(fillSentence(sentences, { key: `mail.${template}.subject`, values })),
  text: fillSentence(sentences, { key: `mail.${template}.text`, values, between: '\n' }),
});

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as markup that shows it. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

const isLink = (line: string): boolean => /^https?:\/\/\S+$/.test(line) && URL.canParse(line);

/** Paragraphs of a mail's text; a line that is nothing but an address is a link. */
export const paragraphsOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => (isLink(line) ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line)))
        .join('<br>'),
    )
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('\n');

/** The alternative for mail programs that show no plain text: the same words, no picture, nothing loaded from anywhere. */
const htmlOf = (language: LanguageCode, { subject, text }: Written): string =>
  `<!doctype html>
<html lang="${language.toLowerCase()}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; overflow-wrap: anywhere">
${paragraphsOf(text)}
</body>
</html>
`;

export interface WrittenLetter extends Written {
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly language: LanguageCode;
  readonly date: Date;
}

/** The bytes of the message on the wire. No placeholder in the words reads a file or an address. */
export const lettersBytes = async ({ messageId, from, to, language, date, subject, text }: WrittenLetter): Promise<Buffer> => {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    messageId,
    from: { ...from },
    // As an object: an address that is written as text may be read as several.
    to: { name: '', address: to },
    date,
    subject,
    text,
    html: htmlOf(language, { subject, text }),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language.toLowerCase() },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  })
    .compile()
    .build();
};
