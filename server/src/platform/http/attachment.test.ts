import { describe, expect, test } from 'vitest';
import { attachmentHeaders, pdfFileName } from './attachment.ts';

describe('the name that a download is saved under', () => {
  test.each([
    ['Umowa.pdf', 'Umowa.pdf'],
    ['Umowa', 'Umowa.pdf'],
    ['Umowa.PDF', 'Umowa.pdf'],
    ['wyciąg 3/2026.pdf', 'wyciąg 32026.pdf'],
    ['../../etc/passwd', 'etcpasswd.pdf'],
    ['..\\..\\x.pdf', 'x.pdf'],
    ['C:\\temp\\x.pdf', 'C_tempx.pdf'],
    ['a\r\nSet-Cookie: b', 'aSet-Cookie_ b.pdf'],
    ['a\0b', 'ab.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe.pdf'],
    ['CON.pdf', '_CON.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['.pdf', 'id-1.pdf'],
    [' \u200b ', 'id-1.pdf'],
    ['', 'id-1.pdf'],
  ])('%j is %j', (given, saved) => {
    expect(pdfFileName(given, 'id-1')).toBe(saved);
  });

  test('is never too long for a file system', () => {
    const name = pdfFileName('ż'.repeat(5_000), 'id-1');
    expect(name).toHaveLength(204);
    expect(pdfFileName(`${'a'.repeat(199)}😀b`, 'id-1')).toBe(`${'a'.repeat(199)}.pdf`);
  });
});

describe('the header', () => {
  const header = (fileName: string): string => attachmentHeaders({ fileName, size: 1 })['content-disposition'] ?? '';

  test('says the name twice: in plain letters and in full', () => {
    expect(header('Zażółć gęślą.pdf')).toBe(
      `attachment; filename="Zazolc gesla.pdf"; filename*=UTF-8''Za%C5%BC%C3%B3%C5%82%C4%87%20g%C4%99%C5%9Bl%C4%85.pdf`,
    );
  });

  test.each(['a"b.pdf', 'a\\b.pdf', "a'b(c)*.pdf", '100%.pdf', '文書.pdf', '\ud800.pdf'])('stays one line of ASCII for %j', (name) => {
    const value = header(pdfFileName(name, 'id'));
    expect(value).toMatch(/^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w.%~!-]+$/);
  });
});
