/** The plain text and the HTML of a message as it came. */
export const partsOf = (raw: string): string[] => {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  return raw
    .split(`--${boundary}`)
    .slice(1, 3)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const body = rest.join('\r\n\r\n');
      const bytes = /base64/i.test(head)
        ? Buffer.from(body, 'base64')
        : Buffer.from(
            body.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          );
      return bytes.toString('utf8');
    });
};
